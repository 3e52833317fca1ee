/** Operators for order: `$lt`, `$lte`, `$gt`, `$gte`, `$between`, on numbers, sizes, durations, dates and texts. */

import { mayBeNumber } from '../compare-texts.ts';
import type { Mismatch } from '../match-result.ts';
import { compareOrdered, isAmbiguous, isDate, toOrdered } from '../ordered-value.ts';
import { mismatchAt, type Place } from '../place.ts';
import { printValue } from '../print-value.ts';
import { answerAt, isHiddenNumber, withheldAt } from '../withheld.ts';
import type { Inspection, Operator } from './operator.ts';

const takes = 'a number, a size (16MB), a duration (5s), a date or another text';

const between: Operator = {
  name: '$between',
  takes: `a list of two, the smaller first, each ${takes}; both ends count`,
  check: checkRange,
  describe: (operand) => {
    const [from, to] = operand as readonly unknown[];
    return `between ${printBound(from)} and ${printBound(to)}`;
  },
  match: (operand, place, matching) => {
    matching.read(place);
    const [from, to] = operand as readonly unknown[];
    const holds =
      holdsFor(place.value, from, (sign) => sign >= 0) && holdsFor(place.value, to, (sign) => sign <= 0);
    return answer(holds, place, [from, to], () => between.describe(operand, matching.describe));
  },
};

export const orderOperators: readonly Operator[] = [
  comparison('$lt', 'less than', (sign) => sign < 0),
  comparison('$lte', 'at most', (sign) => sign <= 0),
  comparison('$gt', 'greater than', (sign) => sign > 0),
  comparison('$gte', 'at least', (sign) => sign >= 0),
  between,
];

function comparison(name: string, words: string, accepts: (sign: number) => boolean): Operator {
  const describe = (operand: unknown): string => `${words} ${printBound(operand)}`;
  return {
    name,
    takes,
    check: (operand, inspection) => {
      if (!toOrdered(operand)) inspection.fault('has no order');
    },
    describe,
    match: (operand, place, matching) => {
      matching.read(place);
      const holds = holdsFor(place.value, operand, accepts);
      return answer(holds, place, [operand], () => describe(operand));
    },
  };
}

/** Neither side may be a text of which a part was not kept; sides of different kinds prove nothing for a negation. */
function answer(
  holds: boolean,
  place: Place,
  bounds: readonly unknown[],
  expected: () => string,
): readonly Mismatch[] {
  if ([place, ...bounds.map((value) => ({ ...place, value }))].some((side) => withheldAt(side) !== undefined))
    return answerAt('open', place, expected);
  const twofold = bounds.find((bound) => mayBeEither(place.value, bound));
  if (twofold !== undefined)
    return [
      {
        ...mismatchAt(place, expected()),
        open: `${printValue(place.value)} and ${printBound(twofold)} are two texts whose characters may have another order than what they mean; compare numbers, match with $regex, or let the system give ISO dates`,
      },
    ];
  if (holds) return [];
  const stray = bounds.find((bound) => !isComparable(place.value, bound));
  if (stray === undefined) return [mismatchAt(place, expected())];
  const doubt = `${printValue(place.value)} and ${printBound(stray)} cannot be compared`;
  return [
    {
      ...mismatchAt(place, expected(), `${printValue(place.value)}, which cannot be compared with it`),
      doubt,
    },
  ];
}

/** A value without an order is a plain mismatch, as is a word where a number is expected; `$5,000.00` and `NaN` may be one. */
function isComparable(value: unknown, bound: unknown): boolean {
  const [left, right] = [toOrdered(value), toOrdered(bound)];
  if (!left || !right || compareOrdered(left, right) !== undefined) return true;
  const text = [left, right].find(({ kind }) => kind === 'text')?.value;
  return text !== undefined && ![left, right].some(isDate) && !mayBeNumber.test(String(text));
}

function mayBeEither(value: unknown, bound: unknown): boolean {
  const [left, right] = [toOrdered(value), toOrdered(bound)];
  return left !== undefined && right !== undefined && isAmbiguous(left, right);
}

function holdsFor(value: unknown, bound: unknown, accepts: (sign: number) => boolean): boolean {
  const [left, right] = [toOrdered(value), toOrdered(bound)];
  const sign = left && right && compareOrdered(left, right);
  return sign !== undefined && accepts(sign);
}

/** A size or a duration is shown as written. */
function printBound(bound: unknown): string {
  const kind = toOrdered(bound)?.kind;
  return kind === 'size' || kind === 'duration' ? String(bound) : printValue(bound);
}

function checkRange(operand: unknown, inspection: Inspection): void {
  if (!Array.isArray(operand) || operand.length !== 2) inspection.fault('is not a list of two');
  else if (!operand.some((bound) => inspection.isOpen(bound) || isHiddenNumber(bound)))
    checkBounds(operand, inspection);
}

function checkBounds(bounds: readonly unknown[], inspection: Inspection): void {
  const [from, to] = bounds.map(toOrdered);
  const sign = from && to && compareOrdered(from, to);
  if (sign === undefined) inspection.fault('has two ends that cannot be compared');
  else if (sign > 0) inspection.fault('begins after its end, so nothing can be between');
}
