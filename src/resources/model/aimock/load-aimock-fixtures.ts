/** Fixtures of aimock as lines of a script: those for models that talk, and for nothing else. */
import { isMap, type JsonMap } from '../../../kernel/is-map.ts';
import { Problem } from '../../../kernel/problem.ts';
import { printValue } from '../../../patterns/print-value.ts';
import type { ScriptLine } from '../script-line.ts';
import { matchToWhen } from './match-to-when.ts';
import { responseToLine } from './response-to-line.ts';

const mostFixtures = 10_000;

/** Standing lines for every caller: the first that fits is used, as in aimock. */
export function loadAimockFixtures(json: unknown, where = 'aimock fixtures'): readonly ScriptLine[] {
  const fixtures = isMap(json) ? json.fixtures : undefined;
  if (!Array.isArray(fixtures) || fixtures.length > mostFixtures)
    throw problem(
      where,
      `it holds ${printValue(json, 80)}`,
      `{ "fixtures": [ … ] } with at most ${mostFixtures} of them`,
    );
  const entries = fixtures
    .map((fixture: unknown, index) => readFixture(fixture, `${where}, fixtures[${index}]`))
    .filter((entry) => entry !== undefined);
  return inSequence(entries)
    .sort((a, b) => turnOf(b) - turnOf(a))
    .map(({ line }) => ({ ...line, firstOf: where }));
}

interface Entry {
  readonly match: JsonMap;
  readonly line: ScriptLine;
}

/** Undefined for one that is about images, sounds or vectors. */
function readFixture(fixture: unknown, where: string): Entry | undefined {
  const { match, response, ...timing } = isMap(fixture) ? fixture : {};
  if (!isMap(match) || !isMap(response)) {
    const what = `it is ${printValue(fixture, 80)}`;
    throw problem(where, what, '{ "match": { … }, "response": { … } }');
  }
  const { endpoint } = match;
  if ((endpoint !== undefined && endpoint !== 'chat') || match.inputText !== undefined) return undefined;
  const unplayable = ['truncateAfterChunks', 'disconnectAfterMs', 'chaos'].find(
    (key) => timing[key] !== undefined,
  );
  if (unplayable !== undefined) {
    const what = `\`${unplayable}\` cannot be played from a fixture`;
    throw problem(where, what, 'answers as they are', 'remove it, and declare `disturb` in the trial');
  }
  const line = responseToLine(response, where);
  if (line === undefined) return undefined;
  const when = matchToWhen(match, where);
  return {
    match,
    line: {
      ...line,
      ...(when === undefined ? {} : { when }),
      ...(typeof match.sequenceIndex === 'number' ? { times: 1 } : {}),
      ...timingOf(timing),
    },
  };
}

function timingOf({ latency, chunkSize, streamingProfile }: JsonMap): Partial<ScriptLine> {
  const { ttft, tps } = isMap(streamingProfile) ? streamingProfile : {};
  const paceMs = isPositive(tps) ? 1_000 / tps : isPositive(latency) ? latency : undefined;
  return {
    ...(isPositive(ttft) ? { afterMs: ttft } : {}),
    ...(paceMs === undefined ? {} : { paceMs }),
    ...(isPositive(chunkSize) ? { pieceChars: chunkSize } : {}),
  };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

/** Fixtures that match the same are used in the order of their `sequenceIndex`, wherever they are. */
function inSequence(entries: readonly Entry[]): Entry[] {
  const siblings = Map.groupBy(entries, ({ match: { sequenceIndex, ...rest } }) =>
    sequenceIndex === undefined ? undefined : JSON.stringify(rest),
  );
  siblings.delete(undefined);
  const queues = new Map(
    [...siblings].map(([key, group]) => [key, group.toSorted((a, b) => sequenceOf(a) - sequenceOf(b))]),
  );
  return entries.map((entry) => {
    const { sequenceIndex, ...rest } = entry.match;
    return (sequenceIndex === undefined ? undefined : queues.get(JSON.stringify(rest))?.shift()) ?? entry;
  });
}

function sequenceOf({ match: { sequenceIndex } }: Entry): number {
  return typeof sequenceIndex === 'number' ? sequenceIndex : 0;
}

/** A later turn fits from its place on, so that it must be looked at before an earlier one. */
function turnOf({ match: { turnIndex } }: Entry): number {
  return typeof turnIndex === 'number' ? turnIndex : -1;
}

function problem(where: string, what: string, allowed: string, next = 'correct the file'): Problem {
  return new Problem({ code: 'config.bad-value', where, what, allowed, next });
}
