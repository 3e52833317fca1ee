/** The condition of a check: keeps what its `where` matches. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { mayGoOn } from '../journal/call-event.ts';
import { asPassed, endKeys, isUnfinished } from '../journal/unfinished-body.ts';
import type { Clock } from '../kernel/clock.ts';
import { problemsIn } from '../kernel/problem.ts';
import { matchPattern } from '../patterns/match-pattern.ts';
import type { MatchResult } from '../patterns/match-result.ts';
import { isPlainMap } from '../patterns/plain-value.ts';
import { ObservationError } from './observer.ts';
import { observerLimits } from './observer-limits.ts';
import { spokenKeys } from './spoken-keys.ts';

/** No other task may have to wait longer than this for its turn. */
const turnMs = 20;

export async function keepMatching<T>(
  clock: Clock,
  signal: AbortSignal,
  where: unknown,
  values: readonly T[],
  /** The condition for one of them, where it differs in how it spells what it asks for. */
  spelt: (value: T) => unknown = () => where,
): Promise<readonly T[]> {
  refuseBadWhere(where);
  if (where === undefined) return values;
  const beganAt = clock.monotonic();
  let turnBeganAt = beganAt;
  const kept: T[] = [];
  let slight: ObservationError | undefined;
  for (const value of values) {
    const answer = answerOf(spelt(value), value);
    if (answer instanceof ObservationError) slight ??= answer;
    else if (answer) kept.push(value);
    const now = clock.monotonic();
    if (now - turnBeganAt < turnMs) continue;
    if (now - beganAt > observerLimits.whereMs)
      throw new ObservationError(
        `\`where\` takes more than ${observerLimits.whereMs / 1000} s; make it simpler`,
      );
    await nextTurn();
    signal.throwIfAborted();
    turnBeganAt = clock.monotonic();
  }
  if (kept.length === 0 && slight) throw slight;
  return kept;
}

/** A `where` that is not a pattern, or that could not be decided, must not look like one that did not match. */
export function isMatch(where: unknown, value: unknown): boolean {
  const answer = answerOf(where, value);
  if (answer instanceof ObservationError) throw answer;
  return answer;
}

/** Why it cannot be decided, where that matters only if nothing else matches; thrown where it always matters. */
function answerOf(where: unknown, value: unknown): boolean | ObservationError {
  if (where === undefined) return true;
  const { matched, exceeded, doubt, isSlight } = tryMatch(where, value);
  if (exceeded !== undefined) throw new ObservationError(`\`where\` needs more than ${exceeded}`);
  if (doubt === undefined) return matched || unlessUnfinished(where, value);
  const retry = isInFlight(value) ? 'later' : 'never';
  const unknown = new ObservationError(`\`where\` cannot be decided: ${doubt}`, retry);
  if (isSlight) return unknown;
  throw unknown;
}

/** What does not show in the beginning of a body may have been meant to come. */
function unlessUnfinished(where: unknown, value: unknown): false | ObservationError {
  if (!isPlainMap(value) || !isUnfinished(value) || mayGoOn(value)) return false;
  if (endKeys.some((key) => spokenKeys(where).includes(key))) return false;
  if (tryMatch(where, asPassed(value)).doubt === undefined) return false;
  const which = `call ${value.crossing} ${value.from} -> ${value.to}`;
  const because = `a body of ${which} did not pass to its end; name \`incomplete\` where that is meant`;
  return new ObservationError(`\`where\` cannot be decided: ${because}`, 'later');
}

/** A call of which more may pass. */
function isInFlight(value: unknown): boolean {
  return isPlainMap(value) && value.incomplete === 'in-flight';
}

/** Said even while there is nothing to match. */
export function refuseBadWhere(where: unknown): void {
  if (where !== undefined) tryMatch(where, null);
}

function tryMatch(where: unknown, value: unknown): MatchResult {
  try {
    return matchPattern(where, value);
  } catch (error) {
    const [problem] = problemsIn(error);
    throw new ObservationError(`\`where\`: ${problem?.what ?? String(error)}`);
  }
}
