/** Operators that join patterns: `$any`, `$all`, `$not`. */
import type { Mismatch } from '../match-result.ts';
import { mismatchAt, otherForm, type Place } from '../place.ts';
import { createDoubts, doubtIn } from '../withheld.ts';
import type { Inspection, Operator } from './operator.ts';

const takesList = 'a list of at least one pattern';

const any: Operator = {
  name: '$any',
  takes: takesList,
  check: checkPatternList,
  describe: (operand, describe) => `one of: ${asList(operand).map(describe).join(' | ')}`,
  match: (operand, place, matching) => {
    let closest: readonly Mismatch[] | undefined;
    const doubts = createDoubts();
    for (const pattern of asList(operand)) {
      const mismatches = matching.match(pattern, place);
      if (mismatches.length === 0) return [];
      doubts.note(mismatches);
      if (!closest || mismatches.length < closest.length) closest = mismatches;
    }
    const mismatch = { ...mismatchAt(place, any.describe(operand, matching.describe)), ...doubts.all() };
    if (mismatch.open !== undefined || mismatch.doubt !== undefined) return [mismatch];
    return [mismatch, ...(closest?.filter(({ path }) => path !== place.path) ?? [])];
  },
};

const all: Operator = {
  name: '$all',
  takes: takesList,
  check: checkPatternList,
  describe: (operand, describe) => asList(operand).map(describe).join(' and '),
  match: (operand, place, matching) => asList(operand).flatMap((pattern) => matching.match(pattern, place)),
};

const not: Operator = {
  name: '$not',
  takes: 'a pattern',
  check: (operand, inspection) => inspection.pattern(operand),
  describe: (operand, describe) => `not ${describe(operand)}`,
  match: (operand, place, matching) => {
    const inner = matching.match(operand, place);
    return denied(inner, place, not.describe(operand, matching.describe));
  },
};

export const logicOperators: readonly Operator[] = [any, all, not];

/** The opposite of a nested match; what is open stays so. */
export function denied(inner: readonly Mismatch[], place: Place, expected: string): readonly Mismatch[] {
  const open = inner.length === 0 ? undefined : (doubtIn(inner) ?? otherForm(place));
  if (inner.length > 0 && open === undefined) return [];
  return [{ ...mismatchAt(place, expected), ...(open === undefined ? {} : { open }) }];
}

function checkPatternList(operand: unknown, inspection: Inspection): void {
  if (!Array.isArray(operand) || operand.length === 0) inspection.fault('is not a list with patterns in it');
  else for (const [index, pattern] of operand.entries()) inspection.pattern(pattern, [index]);
}

function asList(operand: unknown): readonly unknown[] {
  return operand as readonly unknown[];
}
