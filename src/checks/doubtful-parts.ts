/** Parts of an observation that were not kept completely: conditions on them are undecided. */
import { type CallEvent, mayGoOn, unkeptParts } from '../journal/call-event.ts';
import { asPassed, asProven, endKeys, isUnfinished } from '../journal/unfinished-body.ts';
import { isContainer } from '../kernel/exact-json.ts';
import { notKept, whyNotKept } from '../kernel/not-kept.ts';
import { isPlainMap } from '../patterns/plain-value.ts';
import { spokenOf } from '../patterns/spoken-of.ts';
import { extendPath } from '../patterns/value-path.ts';
import { type Expectation, type Held, holdAgainst } from './hold-against.ts';

/** Matches an expectation with what an observer saw. */
export function holdSeen(expectation: Expectation, value: unknown): Held {
  const held = holdAgainst(expectation, value);
  return held.undecided === undefined ? withoutDoubt(held, value) : held;
}

/** A column that no row has is misspelled, so its absence proves nothing; one that must be absent need not exist. */
export function holdRows(expectation: Expectation, rows: unknown): Held {
  const held = holdSeen(expectation, rows);
  if (!Array.isArray(rows) || rows.length === 0) return held;
  const stray = spokenOf(expectation.expect, 'list').find(
    ({ key, pattern }) =>
      !(isPlainMap(pattern) && pattern.$absent === true) &&
      rows.every((row) => isPlainMap(row) && !Object.hasOwn(row, key)),
  );
  if (!stray) return held;
  const because = `no row has a column ${stray.key}; its columns are ${Object.keys(rows[0] as object).join(', ')}`;
  return held.held ? leftUndecided(held, because) : { ...held, unsure: held.unsure ?? because };
}

/**
 * What holds for a truncated body is undecided, unless it holds for the beginning alone or the check itself mentions
 * how the call ended. The same applies to what must never be there, and is not in that beginning.
 */
export function holdCalls(expectation: Expectation, calls: unknown, where: unknown, isNever = false): Held {
  const held = holdSeen(expectation, calls);
  if (held.held === isNever || !Array.isArray(calls) || held.undecided !== undefined) return held;
  const isDoubtful = (call: CallEvent, index: number): boolean =>
    isPlainMap(call) &&
    isUnfinished(call) &&
    !(isNever && mayGoOn(call)) &&
    !(call.incomplete !== undefined && isAboutEnd(where)) &&
    !endKeys.some((key) => held.reads.some((read) => isWithin(read, `$[${index}].${key}`)));
  const first = calls.findIndex(isDoubtful);
  if (first < 0) return held;
  const seenAs = (as: (call: CallEvent) => unknown): Held => {
    const rest = calls.flatMap((call, index) => {
      if (!isDoubtful(call, index)) return [call];
      const seen = as(call);
      return where === undefined || isNever || holdAgainst({ expect: where }, seen).held ? [seen] : [];
    });
    return holdAgainst(expectation, rest);
  };
  const side = calls[first].request?.unfinished ? 'request' : 'response';
  const because = `the body at $[${first}].${side} is incomplete, so this is not known of the whole body; expect \`incomplete\`, or \`unfinished\` there, if that is intended`;
  if (isNever) {
    const { undecided, unsure } = seenAs(asPassed);
    return (undecided ?? unsure) ? { ...held, unsure: because } : held;
  }
  const isProven = [undefined, notKept].every((unseen) => seenAs((call) => asProven(call, unseen)).held);
  return isProven ? held : leftUndecided(held, because);
}

function isAboutEnd(where: unknown): boolean {
  return spokenOf(where, 'map').some(({ key }) => endKeys.includes(key));
}

/** The same, unless a path was read that leads into a part that was not kept. */
export function withoutDoubt(held: Held, value: unknown): Held {
  const part = doubtfulParts(value).find(({ path }) => held.reads.some((read) => isWithin(read, path)));
  return part ? leftUndecided(held, `${part.because} at ${part.path}`) : held;
}

export function leftUndecided(held: Held, because: string): Held {
  const explanation = [because, held.explanation].filter(Boolean).join('\n');
  return { ...held, held: false, undecided: because, explanation };
}

/** Whether a path equals another, or leads further down from it. */
export function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`) || path.startsWith(`${other}[`);
}

const mostVisited = 200_000;

/** The paths cost more than the walk, and are rarely wanted. */
function isDoubtful(value: unknown): boolean {
  let visited = 0;
  const visit = (inner: unknown): boolean => {
    visited += 1;
    if (!isContainer(inner) || visited > mostVisited) return false;
    return whyNotKept(inner) !== undefined || cutKeys(inner).length > 0 || Object.values(inner).some(visit);
  };
  return visit(value);
}

function doubtfulParts(value: unknown) {
  const found: Record<'path' | 'because', string>[] = [];
  if (!isDoubtful(value)) return found;
  let visited = 0;
  const visit = (inner: unknown, path: string): void => {
    visited += 1;
    if (!isContainer(inner) || visited > mostVisited) return;
    const unkept = whyNotKept(inner);
    if (unkept !== undefined) found.push({ path, because: unkept });
    else
      for (const key of cutKeys(inner))
        found.push({ path: `${path}.${key}`, because: 'only a part of it was kept' });
    for (const [key, below] of Object.entries(inner))
      visit(below, extendPath(path, Array.isArray(inner) ? Number(key) : key));
  };
  visit(value, '$');
  return found;
}

/** The parts that may be incomplete in a call or a span of which only the beginning was kept. */
function cutKeys(value: object): readonly string[] {
  if (Object.hasOwn(value, 'crossing')) return unkeptParts(value as CallEvent);
  if (Reflect.get(value, 'cut') === true && Object.hasOwn(value, 'spanId')) return ['attributes', 'events'];
  return [];
}
