/** Operators that join patterns: `$any`, `$all`, `$not`. */
import type { Mismatch } from '../match-result.ts';
import { mismatchAt, otherForm, type Place } from '../place.ts';
import { isPlainMap } from '../plain-value.ts';
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
    return denied(inner, place, not.describe(operand, matching.describe), asksForPresence(operand));
  },
};

export const logicOperators: readonly Operator[] = [any, all, not];

/** The opposite of a nested match; an open result stays open. A missing key fulfils only a denial of its presence. */
export function denied(
  inner: readonly Mismatch[],
  place: Place,
  expected: string,
  isOfPresence = false,
): readonly Mismatch[] {
  if (inner.length === 0) return [mismatchAt(place, expected)];
  if (place.value === undefined && !isOfPresence) return [missingAt(place, expected)];
  const open = doubtIn(inner) ?? otherForm(place);
  return open === undefined ? [] : [{ ...mismatchAt(place, expected), open }];
}

function missingAt(place: Place, expected: string): Mismatch {
  const mismatch = mismatchAt(place, `something here, ${expected}`);
  const open = otherForm(place) ?? mismatch.doubt;
  if (open !== undefined) return { ...mismatch, open };
  const doubt = `${place.path} is missing; write { $any: [{ $absent: true }, …] } if it may be missing, or $present: true if not`;
  return { ...mismatch, doubt, isSlight: true, isMissing: true };
}

/** Whether it asserts presence or absence of the place itself. */
function asksForPresence(pattern: unknown): boolean {
  if (!isPlainMap(pattern)) return false;
  const { $absent, $present, $not, $any = [], $all = [] } = pattern;
  if ($absent !== undefined || $present !== undefined) return true;
  return [$not, ...asList($any), ...asList($all)].some(asksForPresence);
}

function checkPatternList(operand: unknown, inspection: Inspection): void {
  if (!Array.isArray(operand) || operand.length === 0)
    inspection.fault('is not a non-empty list of patterns');
  else for (const [index, pattern] of operand.entries()) inspection.pattern(pattern, [index]);
}

function asList(operand: unknown): readonly unknown[] {
  return operand as readonly unknown[];
}
