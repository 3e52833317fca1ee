/** Exact equality of data, reported as the places where the two sides differ. */

import { isAlike, isPath } from './alike.ts';
import type { Mismatch } from './match-result.ts';
import { childPlace, elementPlaces, keptKey, mismatchAt, type Place } from './place.ts';
import { equalScalars, isPlainMap, type PlainMap, presentKeys, toPlain } from './plain-value.ts';
import { printTextDifference } from './print-text-difference.ts';
import { printValue } from './print-value.ts';
import { answerAt, isEqualityOpen } from './withheld.ts';

/** Called for every place that is compared. */
export type Visit = (place: Place) => void;

/** Maps must have the same keys and lists the same elements in the same order. */
export function matchLiteral(literal: unknown, place: Place, visit: Visit): readonly Mismatch[] {
  visit(place);
  const expected = toPlain(literal);
  if (Array.isArray(expected)) return matchList(expected, place, visit);
  if (isPlainMap(expected)) return matchMap(expected, place, visit);
  return matchScalar(expected, place);
}

/** Equality with a text, number, boolean or null; of long texts the difference is shown. */
export function matchScalar(expected: unknown, place: Place): readonly Mismatch[] {
  const observed = place.value;
  if (observed !== undefined && equalScalars(expected, observed)) return [];
  if (isEqualityOpen(expected, place)) return answerAt('open', place, () => printValue(expected));
  const doubt = isAlike(expected, observed)
    ? {
        doubt: `${printValue(observed)} may mean the same as ${printValue(expected)}; write it exactly as observed`,
        ...(isPath(expected) ? ({ isSlight: true } as const) : {}),
      }
    : inListDoubt(expected, observed, place);
  if (typeof expected !== 'string' || typeof observed !== 'string')
    return [{ ...mismatchAt(place, printValue(expected)), ...doubt }];
  const printed = printTextDifference(expected, observed);
  return [{ ...mismatchAt(place, printed.expected, printed.observed), ...doubt }];
}

/** `roles: { $ne: admin }` would hold for `[admin]`, and so would a denied cookie. */
function inListDoubt(
  expected: unknown,
  observed: unknown,
  { path }: Place,
): Pick<Mismatch, 'doubt' | 'isSlight'> {
  if (!Array.isArray(observed) || !observed.some((element) => equalScalars(expected, toPlain(element))))
    return {};
  return { doubt: `${path} is a list that contains ${printValue(expected)}; use $contains`, isSlight: true };
}

/** A list that is too long or too short, as one mismatch at the list itself. */
export function lengthMismatches(
  count: number,
  elements: readonly Place[],
  place: Place,
): readonly Mismatch[] {
  if (elements.length === count) return [];
  const observed = `${countElements(elements.length)}: ${printValue(place.value)}`;
  return [mismatchAt(place, `exactly ${countElements(count)}`, observed)];
}

function matchList(expected: readonly unknown[], place: Place, visit: Visit): readonly Mismatch[] {
  const elements = elementPlaces(place);
  if (!elements) return [mismatchAt(place, printValue(expected))];
  const shared = elements.slice(0, expected.length);
  return [
    ...lengthMismatches(expected.length, elements, place),
    ...shared.flatMap((element, index) => matchElement(expected[index], element, visit)),
  ];
}

/** In a list, undefined is an element without a value; two of them are equal. */
function matchElement(expected: unknown, element: Place, visit: Visit): readonly Mismatch[] {
  return expected === undefined && element.value === undefined ? [] : matchLiteral(expected, element, visit);
}

function matchMap(expected: PlainMap, place: Place, visit: Visit): readonly Mismatch[] {
  const observed = place.value;
  if (!isPlainMap(observed)) return [mismatchAt(place, printValue(expected))];
  const wanted = presentKeys(expected);
  const kept = new Set(wanted.map((key) => keptKey(place, key)));
  const extra = presentKeys(observed).filter((key) => !kept.has(key));
  return [
    ...wanted.flatMap((key) => matchLiteral(expected[key], childPlace(place, key), visit)),
    ...extra.map((key) => mismatchAt(childPlace(place, key), 'nothing here')),
  ];
}

function countElements(count: number): string {
  return count === 1 ? '1 element' : `${count} elements`;
}
