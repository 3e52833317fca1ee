/** Places that show the same thing: a check that reads one has read the other. */
import { isDeepStrictEqual } from 'node:util';
import type { AttemptView } from '../../checks/attempt-view.ts';
import { outside } from '../../journal/topology.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { stepKind } from '../../kinds/step-kinds.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { type CheckUnderTest, exchangeSource } from './check-under-test.ts';
import { likePath, walkPlaces } from './walk-places.ts';

export interface Reader {
  readonly checkUnderTest: Pick<CheckUnderTest, 'kind' | 'source' | 'step' | 'value' | 'where'>;
  /** Places of its own source. */
  readonly guards: ReadonlySet<string>;
}

type View = Pick<AttemptView, 'record' | 'steps'>;

/** Places that are guarded although no check looks there, as `source path`. */
export function twinGuards(view: View, readers: readonly Reader[]): readonly string[] {
  return readers.flatMap((reader) => [
    ...collectedAnswers(view, reader),
    ...statusOfCalls(view, reader),
    ...wordsOfTurn(view, reader),
    ...resultOfText(view, reader),
    ...conditions(reader),
  ]);
}

/** A flow that collects several answers in one list reads each of them. */
function collectedAnswers({ steps }: View, { checkUnderTest, guards }: Reader): readonly string[] {
  const { kind, value } = checkUnderTest;
  if (kind !== 'value' || !Array.isArray(value)) return [];
  const inElements = [...guards].filter((path) => path.startsWith('$[].'));
  return [...steps]
    .filter(([, { evidence }]) => value.some((element) => isDeepStrictEqual(element, evidence)))
    .flatMap(([step]) => inElements.map((path) => `${exchangeSource(step)} $${path.slice('$[]'.length)}`));
}

/** A request of the trial over HTTP is both an answer of a step and a call from outside, with one status. */
function statusOfCalls({ record }: View, { checkUnderTest, guards }: Reader): readonly string[] {
  const { kind, source, step } = checkUnderTest;
  const asked = record.steps.filter(({ driver, to }) => stepKind(driver).isOneCall && to !== undefined);
  if (checkKind(kind)?.edge && guards.has('$[].status'))
    return asked
      .filter(({ to }) => source === callsFromOutside(to))
      .map(({ name }) => `${exchangeSource(name)} $.status`);
  if (step === undefined || !guards.has('$.status')) return [];
  return asked.filter(({ name }) => name === step).map(({ to }) => `${callsFromOutside(to)} $[].status`);
}

/** What a model said, read as a turn of the call from outside, is the content of the answer's chunks. */
function wordsOfTurn({ record, steps }: View, { checkUnderTest, guards }: Reader): readonly string[] {
  if (![...guards].some((path) => path.startsWith('$[].turn.'))) return [];
  return record.steps
    .filter(({ to }) => checkUnderTest.source === callsFromOutside(to))
    .flatMap(({ name }) => {
      const { events, json } = (steps.get(name)?.evidence ?? {}) as { events?: unknown; json?: unknown };
      const said = walkPlaces(events === undefined ? { json } : { events });
      return said.map(({ path }) => `${exchangeSource(name)} ${likePath(path)}`);
    });
}

function callsFromOutside(to: string | undefined): string {
  return `calls ${outside} -> ${to}`;
}

/** A single text of a tool is its whole result. */
function resultOfText({ steps }: View, { checkUnderTest: { step }, guards }: Reader): readonly string[] {
  if (step === undefined || !guards.has('$.content[].text')) return [];
  const evidence = steps.get(step)?.evidence;
  if (!isPlainMap(evidence) || !Array.isArray(evidence.content) || evidence.content.length !== 1) return [];
  return walkPlaces(evidence.result).map(
    ({ path }) => `${exchangeSource(step)} ${likePath(`$.result${path.slice('$'.length)}`)}`,
  );
}

/** What does not fulfil the condition is not seen at all, which a check of the whole list would detect. */
function conditions({ checkUnderTest: { source, where }, guards }: Reader): readonly string[] {
  if (!isPlainMap(where) || !guards.has('$')) return [];
  return walkPlaces(where).map(({ path }) => `${source} $[]${likePath(path).slice('$'.length)}`);
}
