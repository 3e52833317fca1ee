/** The operator for a list of exactly these elements in any order: `$unordered`. */
import type { Mismatch } from '../match-result.ts';
import { pairUp } from '../pair-up.ts';
import { elementPlaces, mismatchAt, type Place } from '../place.ts';
import { printValue } from '../print-value.ts';
import { openIn } from '../withheld.ts';
import type { Matching, Operator } from './operator.ts';

export const unorderedOperator: Operator = {
  name: '$unordered',
  takes: 'a list of patterns, one for each element',
  check: (operand, inspection) => {
    if (!Array.isArray(operand)) return inspection.fault('is not a list');
    for (const [index, pattern] of operand.entries()) inspection.pattern(pattern, [index]);
  },
  describe: (operand) => `these in any order: ${printValue(operand)}`,
  match: (operand, place, matching) => {
    matching.read(place);
    const elements = elementPlaces(place);
    if (!elements) return [mismatchAt(place, unorderedOperator.describe(operand, matching.describe))];
    return matchUnordered(operand as readonly unknown[], elements, place, matching);
  },
};

function matchUnordered(
  patterns: readonly unknown[],
  elements: readonly Place[],
  place: Place,
  matching: Matching,
): readonly Mismatch[] {
  let open: string | undefined;
  const fits = (left: number, right: number): boolean => {
    const mismatches = matching.match(patterns[left], elements[right] as Place);
    open ??= openIn(mismatches);
    return mismatches.length === 0;
  };
  const partnerOf = pairUp(patterns.length, elements.length, fits);
  const missing = patterns.filter((_, index) => !partnerOf.includes(index));
  const extra = elements.filter((_, index) => partnerOf[index] === undefined);
  if (open !== undefined && missing.length > 0 && missing.length === extra.length)
    return [{ ...mismatchAt(place, unorderedOperator.describe(patterns, matching.describe)), open }];
  const [only] = extra;
  // One left over on each side: most likely they belong together, and the reader wants to see where they differ.
  if (only && extra.length === 1 && missing.length === 1) return matching.match(missing[0], only);
  const none = `none of the ${elements.length} elements left over: ${printValue(extra.map(({ value }) => value))}`;
  return [
    ...missing.map((pattern) => mismatchAt(place, `an element ${matching.describe(pattern)}`, none)),
    ...extra.map((element) => mismatchAt(element, 'no further element')),
  ];
}
