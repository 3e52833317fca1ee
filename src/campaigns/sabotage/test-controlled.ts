/** Which parts of an observation are test-controlled: sent or played by the trial itself, or merely repeating that. */

import { isDeepStrictEqual } from 'node:util';
import type { AttemptView } from '../../checks/attempt-view.ts';
import { outside } from '../../journal/topology.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import { percentDecoded } from '../../kernel/percent-decoded.ts';
import { checkKind, fieldNamed } from '../../kinds/check-kinds.ts';
import { withoutBranches } from '../../kinds/command/shell-script.ts';
import { stepField, stepKeyIn, stepKind } from '../../kinds/step-kinds.ts';
import { valueAt } from '../../patterns/mutants/mutant.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import type { CheckUnderTest } from './check-under-test.ts';
import { hasPrograms, isOwnCommand, isOwnLook } from './own-commands.ts';
import { walkPlaces } from './walk-places.ts';

export interface TestControlled {
  /** The trial wrote it itself; no system can falsify it. */
  isOwn(keys: readonly PathKey[]): boolean;
  /** The system said it, and the trial had sent the same; or it is looked up by `words` that the trial has sent. */
  isTautological(keys: readonly PathKey[], value: unknown, words?: readonly string[]): boolean;
  /** The system said it, and the trial had sent the same, whatever else it did. */
  isRepeated(keys: readonly PathKey[], value: unknown): boolean;
}

type Looked = Pick<CheckUnderTest, 'kind' | 'step' | 'value' | 'where' | 'question'>;

export function testControlled(view: AttemptView, looked: Looked): TestControlled {
  const { kind, step, where } = looked;
  if (step !== undefined)
    return ofAnswer(sentBy(view, step), view.steps.get(step)?.evidence, isOwnCommand(view, step));
  if (checkKind(kind)?.startsProgram) {
    const spec = { ...looked.question };
    return ofAnswer([withoutNames(spec)], looked.value, isOwnLook(spec));
  }
  if (kind === 'value') {
    const isSent = isPartOf(looked.value, allSent(view));
    const isUid = (_: readonly PathKey[], value: unknown): boolean => value === uidOf(view);
    return { isOwn: () => isSent, isTautological: isUid, isRepeated: isUid };
  }
  // Everything found under a condition fulfils it.
  const isAskedFor = (keys: readonly PathKey[], value: unknown): boolean =>
    value !== undefined &&
    ((isPlainMap(where) && valueAt(where, keys.slice(1)) === value) ||
      (keys.length === 2 && valueAt(looked.question, keys.slice(1)) === value));
  return {
    isOwn: (keys) => checkKind(kind)?.edge !== undefined && isOwnSide(view, looked, keys),
    isTautological: isAskedFor,
    isRepeated: isAskedFor,
  };
}

function allSent({ events }: AttemptView): readonly unknown[] {
  return events.flatMap((event) => (event.type === 'step.started' ? [event.sent] : []));
}

/** Whether a map or a list is, as a whole, one that the trial has sent. */
function isPartOf(value: unknown, sent: unknown): boolean {
  if (!isContainer(value) || !isContainer(sent)) return false;
  return isDeepStrictEqual(sent, value) || Object.values(sent).some((inner) => isPartOf(value, inner));
}

function uidOf({ scope }: AttemptView): unknown {
  return valueAt(scope, ['trial', 'uid']);
}

function ofAnswer(sent: readonly unknown[], evidence: unknown, isOwnWork: boolean): TestControlled {
  const words = wordsOf(sent);
  const decided = new Set(sent.flatMap(decidedBy));
  const isWork = isWorkedFor(evidence, sent);
  // A header is returned only by contract, such as a tracing id.
  const isRepeated = (keys: readonly PathKey[], value: unknown, sought: readonly string[] = []): boolean =>
    !keys.includes('headers') &&
    !isChosen(keys, sent) &&
    (isSaid(sent, nameOf(keys), value) ||
      isWord(words, nameOf(keys), value) ||
      (sought.length > 0 && sought.every((word) => isHeard(sent, word))));
  return {
    isOwn: (keys) => {
      if (isOwnWork) return true;
      const [first, second, third] = keys;
      const name = String(first === 'answers' && typeof second === 'number' ? third : first);
      return stepField(name)?.origin === 'request' || decided.has(name);
    },
    isRepeated,
    isTautological: (...place) => !isWork && isRepeated(...place),
  };
}

/** A system that did what it was asked for may repeat it; a refusal, a program and a mere copy repeat it by themselves. */
function isWorkedFor(evidence: unknown, sent: readonly unknown[]): boolean {
  if (!isPlainMap(evidence) || evidence.stdout !== undefined || evidence.error !== undefined) return false;
  const { status, isError } = evidence;
  if (isError === true || (typeof status === 'number' && status >= 400)) return false;
  const body = evidence.json ?? evidence.result;
  if (!isContainer(body) || (isPlainMap(body) && (body.error ?? null) !== null)) return false;
  return walkPlaces(body).some(
    ({ keys, value }) => !isContainer(value) && !isSaid(sent, nameOf(keys), value),
  );
}

/** What the trial requested itself, and what a party that we play has requested or answered. */
function isOwnSide(
  view: AttemptView,
  { kind, value: calls, where, question }: Looked,
  [index, part]: readonly PathKey[],
): boolean {
  const asked = isPlainMap(where) ? Object.keys(where) : [];
  const isAllOwn =
    Array.isArray(calls) && calls.length > 0
      ? calls.every(({ from }) => from === outside)
      : question?.from === outside && isNeverSent(view, kind, asked);
  // Which of them are found is decided by who answered.
  const isByAnswer = asked.some((name) => fieldNamed(kind, name)?.by === 'provider');
  if (index === undefined) return isAllOwn && !isByAnswer;
  const call = valueAt(calls, [index]) as { readonly from?: unknown; readonly to?: unknown } | undefined;
  if (part === undefined || call === undefined) return false;
  const isPlayed = (party: unknown) =>
    view.topology?.parties.some(({ name, kind }) => name === party && kind !== 'service') ?? false;
  const { by } = fieldNamed(kind, String(part)) ?? {};
  if (by === 'caller') return call.from === 'outside' || isPlayed(call.from);
  return by === 'provider' && isPlayed(call.to);
}

/** That there is no such call was decided by the trial, where only what the caller sends was asked for. */
function isNeverSent(view: AttemptView, kind: string, asked: readonly string[]): boolean {
  if (asked.some((name) => fieldNamed(kind, name)?.by !== 'caller') || hasPrograms(view)) return false;
  // Where it follows redirects, the system says where to.
  return view.events.every(
    (event) =>
      event.type !== 'step.started' || !JSON.stringify(event.sent ?? null).includes('"redirect":true'),
  );
}

function sentBy({ events }: AttemptView, step: string): readonly unknown[] {
  return events.flatMap((event) =>
    event.type === 'step.started' && event.step === step ? [withoutNames(event.sent)] : [],
  );
}

function decidedBy(step: unknown): readonly string[] {
  return isPlainMap(step) ? (stepKind(stepKeyIn(step) ?? '').decides?.(step) ?? []) : [];
}

/** Without keys whose texts are names and are not sent. */
function withoutNames(step: unknown): unknown {
  if (!isPlainMap(step)) return step;
  const unsent = ['timeout', 'within', ...(stepKind(stepKeyIn(step) ?? '').unsent ?? [])];
  return Object.fromEntries(Object.entries(step).filter(([key]) => !unsent.includes(key)));
}

/** For a request without a list, an element of a list that the system built was found, not repeated. */
function isChosen(keys: readonly PathKey[], sent: readonly unknown[]): boolean {
  const isInList = keys.some(
    (key, index) => typeof key === 'number' && !stepField(String(keys[index - 1]))?.isWireList,
  );
  return isInList && !JSON.stringify(sent).includes('[', 1);
}

function nameOf(keys: readonly PathKey[]): string {
  return String(keys.findLast((key) => typeof key === 'string') ?? '').toLowerCase();
}

/** Values too common to count as a copy, even under the same name. */
const common = new Set<unknown>([true, false, null, '', 0, 1]);
const leastChars = 4;

function isSaid(sent: unknown, name: string, value: unknown): boolean {
  if (common.has(value) || typeof value === 'object') return false;
  // A short word under another name may be what it is by itself.
  const isLong = typeof value === 'string' && value.length >= (isWordOnly(value) ? leastOfWord : leastChars);
  const visit = (inner: unknown, under: string): boolean => {
    if (Array.isArray(inner)) return inner.some((element) => visit(element, under));
    if (isPlainMap(inner))
      return Object.entries(inner).some(([key, below]) => visit(below, key.toLowerCase()));
    return isSame(inner, value) && (isLong || areAlike(under, name));
  };
  return visit(sent, '');
}

const leastOfWord = 7;

/** `q` is `query`. */
function areAlike(one: string, other: string): boolean {
  return one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one));
}

function isWordOnly(value: string): boolean {
  return /^\p{L}+$/u.test(value);
}

/** A trailing newline makes no different text, and quotes no different number. */
function isSame(said: unknown, value: unknown): boolean {
  if (said === value) return true;
  const isPlain = (one: unknown): boolean => typeof one === 'string' || typeof one === 'number';
  return isPlain(said) && isPlain(value) && String(said).trim() === String(value).trim();
}

/** Words contained in a text of the trial; a short one only if it is the whole text. */
function isHeard(sent: unknown, word: string): boolean {
  if (Array.isArray(sent)) return sent.some((element) => isHeard(element, word));
  if (isPlainMap(sent)) return Object.values(sent).some((below) => isHeard(below, word));
  if (typeof sent !== 'string') return false;
  const said = withoutBranches(sent);
  return said.trim() === word.trim() || (word.trim().length >= leastChars && said.includes(word));
}

/** The parts of paths, and the words of a command. */
function wordsOf(sent: readonly unknown[]): ReadonlySet<string> {
  return new Set(
    sent.flatMap((step) => {
      if (!isPlainMap(step)) return [];
      return (stepKind(stepKeyIn(step) ?? '').words?.(step) ?? []).map(percentDecoded);
    }),
  );
}

/** A number matches one of them only where it names something. */
function isWord(words: ReadonlySet<string>, name: string, value: unknown): boolean {
  if (typeof value === 'string') return value.trim().length > 2 && words.has(value.trim());
  return typeof value === 'number' && /id$/.test(name) && words.has(String(value));
}
