/** Whether two unequal scalars mean the same, so that "it is not there" would be true only literally. Pure. */

import { isAnyNumber } from '../kernel/exact-json.ts';
import { compareOrdered, isMoment, toOrdered } from './ordered-value.ts';

export function isAlike(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string') return areAlikeTexts(a, b);
  const sides = [a, b];
  const text = sides.find((side) => typeof side === 'string');
  const other = sides.find((side) => isAnyNumber(side) || typeof side === 'boolean');
  if (typeof text !== 'string' || other === undefined) return false;
  return text === String(other) || (text.trim() !== '' && Number(text) === other);
}

const anyCase = /^(?:get|head|post|put|patch|delete|options)$/i;
const uuid = /^\{?[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?$/i;

function areAlikeTexts(a: string, b: string): boolean {
  if (anyCase.test(a)) return a.toLowerCase() === b.toLowerCase();
  const digits = uuidDigits(a);
  if (digits !== undefined) return digits === uuidDigits(b);
  if (isPath(a)) return b.startsWith(`${a}?`) || a.startsWith(`${b}?`); // `/charge` may be meant as `/charge?id=1`
  const [left, right] = [toOrdered(a), toOrdered(b)];
  return (
    left !== undefined &&
    right !== undefined &&
    isMoment(left) &&
    isMoment(right) &&
    compareOrdered(left, right) === 0
  );
}

export function isPath(text: unknown): boolean {
  return typeof text === 'string' && text.startsWith('/');
}

/** The digits of a UUID in any spelling; undefined if it is not one. */
export function uuidDigits(text: string): string | undefined {
  return uuid.test(text) ? text.replace(/[-{}]/g, '').toLowerCase() : undefined;
}
