/** Where a value differs from the recorded one. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { isNamedMoment, steadyText, steadyValue } from '../../journal/steady-value.ts';
import { checkPattern } from '../../patterns/check-pattern.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { printTextDifference } from '../../patterns/print-text-difference.ts';
import { printValue } from '../../patterns/print-value.ts';

/** Empty where they are the same but for ids and times. */
export function valueDifference(recorded: unknown, now: unknown): readonly string[] {
  const [before, after] = [recorded, now].map((value) => steadyValue(value, isNamedMoment));
  if (isDeepStrictEqual(before, after)) return [];
  const exactly = { $eq: before ?? null };
  if (checkPattern(exactly, 'resolved').length > 0)
    return [`recorded ${printValue(before)}, now ${printValue(after)}`];
  const [first] = matchPattern(exactly, after ?? null).mismatches;
  if (first === undefined) return ['its order differs, or it has an extra part'];
  return [`recorded ${first.expected}, now ${first.observed}, at ${first.path}`];
}

/** The same for texts, of which only the part around the difference is shown. */
export function textDifference(recorded: string, now: string): readonly string[] {
  const [before, after] = [steadyText(recorded), steadyText(now)];
  if (before === after) return [];
  const { expected, observed } = printTextDifference(before, after);
  return [`recorded ${expected}, now ${observed}`];
}
