/** Operators on lists, and on other values with a size: `$each`, `$some`, `$contains`, `$length`. */
import { wholeLength } from '../../kernel/not-kept.ts';
import type { Mismatch } from '../match-result.ts';
import { doubtByPercent } from '../percent-encoded.ts';
import { elementPlaces, mismatchAt, type Place } from '../place.ts';
import { isPlainMap, presentKeys } from '../plain-value.ts';
import { printValue } from '../print-value.ts';
import { answerAt, askText, createDoubts, isHiddenNumber, withheldAt } from '../withheld.ts';
import type { Matching, Operator } from './operator.ts';

const each: Operator = {
  name: '$each',
  takes: 'a pattern for every element of a list; an empty list fulfils it, so ask for a $length too',
  check: (operand, inspection) => inspection.pattern(operand),
  describe: (operand, describe) => `a list with every element ${describe(operand)}`,
  match: (operand, place, matching) => {
    matching.read(place);
    const elements = elementPlaces(place);
    if (!elements) return [mismatchAt(place, each.describe(operand, matching.describe))];
    return elements.flatMap((element) => matching.match(operand, element));
  },
};

const some: Operator = {
  name: '$some',
  takes: 'a pattern for at least one element of a list',
  check: (operand, inspection) => inspection.pattern(operand),
  describe: (operand, describe) => `a list with some element ${describe(operand)}`,
  match: (operand, place, matching) => {
    matching.read(place);
    return inElements(operand, place, matching, () => some.describe(operand, matching.describe));
  },
};

const contains: Operator = {
  name: '$contains',
  takes:
    'a part of a text, a pattern for an element of a list, a part of a map, or a list of these, all of which must be present',
  check: (operand, inspection) => {
    if (!Array.isArray(operand)) inspection.pattern(operand);
    else if (operand.length === 0) inspection.fault('is an empty list, which everything contains');
    else for (const [index, part] of operand.entries()) inspection.pattern(part, [index]);
  },
  describe: (operand, describe) => `something containing ${partsOf(operand).map(describe).join(' and ')}`,
  match: (operand, place, matching) => {
    matching.read(place);
    return partsOf(operand).flatMap((part) => inPart(part, place, matching));
  },
};

const length: Operator = {
  name: '$length',
  takes: 'a whole number of characters, elements or keys, or a pattern for it',
  check: (operand, inspection) => {
    if (isPlainMap(operand)) inspection.pattern(operand);
    else if (isHiddenNumber(operand)) return;
    else if (!Number.isSafeInteger(operand) || Number(operand) < 0)
      inspection.fault('is not a possible length');
  },
  describe: (operand, describe) => `length ${describe(operand)}`,
  match: (operand, place, matching) => {
    matching.read(place);
    const expected = (): string => length.describe(operand, matching.describe);
    if (withheldAt(place) !== undefined) return answerAt('open', place, expected);
    const count = lengthOf(place.value);
    if (count === undefined) return [mismatchAt(place, expected())];
    if (isHiddenNumber(operand)) return answerAt('open', place, expected);
    const mismatches = matching.match(operand, { path: place.path, value: count });
    if (mismatches.length === 0) return [];
    const doubts = createDoubts();
    doubts.note(mismatches);
    const mismatch = mismatchAt(place, expected(), `length ${count}: ${printValue(place.value)}`);
    return [{ ...mismatch, ...doubts.all() }];
  },
};

export const collectionOperators: readonly Operator[] = [each, some, contains, length];

function inElements(
  pattern: unknown,
  place: Place,
  matching: Matching,
  expected: () => string,
): readonly Mismatch[] {
  const doubts = createDoubts();
  for (const element of elementPlaces(place) ?? []) {
    const mismatches = matching.match(pattern, element);
    if (mismatches.length === 0) return [];
    doubts.note(mismatches);
  }
  return [{ ...mismatchAt(place, expected()), ...doubts.all() }];
}

function partsOf(operand: unknown): readonly unknown[] {
  return Array.isArray(operand) ? operand : [operand];
}

function inPart(part: unknown, place: Place, matching: Matching): readonly Mismatch[] {
  const expected = (): string => contains.describe([part], matching.describe);
  const doubt = typeof part === 'string' ? holdsNoTexts(place.value) : undefined;
  if (doubt !== undefined) return [{ ...mismatchAt(place, expected()), doubt }];
  const beside = typeof part === 'string' ? insideCookies(part, place) : undefined;
  if (Array.isArray(place.value))
    return inElements(part, place, matching, expected).map((mismatch) => ({ ...beside, ...mismatch }));
  if (typeof place.value === 'string' && typeof part === 'string')
    return answerAt(
      askText(place, part, 'inside', (text, inner) => text.includes(inner)),
      place,
      expected,
    ).map((mismatch) => ({ ...doubtByPercent(place, (text) => text.includes(part)), ...mismatch }));
  const inner = isPlainMap(part) && isPlainMap(place.value) ? matching.match(part, place) : undefined;
  if (inner?.length === 0) return [];
  const doubts = createDoubts();
  if (inner) doubts.note(inner);
  return [{ ...mismatchAt(place, expected()), ...doubts.all() }];
}

/** A header is a text to most readers, and its cookies are a list here. */
function insideCookies(part: string, { value, path }: Place): Pick<Mismatch, 'doubt' | 'isSlight'> {
  const isInside =
    path.endsWith('.setCookie') && Array.isArray(value) && value.some((one) => String(one).includes(part));
  return isInside ? { doubt: `the cookies at ${path} are a list; use $some`, isSlight: true } : {};
}

/** A negated `$contains` would hold although the text was not searched anywhere. */
function holdsNoTexts(value: unknown): string | undefined {
  const name = 'name the key to search';
  if (isPlainMap(value) && presentKeys(value).length > 0) return `a map does not contain a text; ${name}`;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.every(isPlainMap) ? `a list of maps does not contain a text; ${name}` : undefined;
}

/** Characters are code points: a reader counts an emoji as one. */
function lengthOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return wholeLength(value);
  if (isPlainMap(value)) return presentKeys(value).length;
  if (typeof value !== 'string') return undefined;
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}
