/** Whether two unequal scalars mean the same, so that "it is not there" would be true only literally. Pure. */

import { isAnyNumber } from '../kernel/exact-json.ts';
import { percentDecoded } from '../kernel/percent-decoded.ts';
import { compareOrdered, isMoment, toOrdered } from './ordered-value.ts';

export function isAlike(a: unknown, b: unknown): boolean {
  if (typeof a === 'string' && typeof b === 'string') return areAlikeTexts(a, b);
  const sides = [a, b];
  // As databases without a type for it keep them.
  const flag = sides.find((side) => typeof side === 'boolean');
  if (flag !== undefined && sides.some((side) => isAnyNumber(side) && Number(side) === Number(flag)))
    return true;
  const text = sides.find((side) => typeof side === 'string');
  const other = sides.find((side) => isAnyNumber(side) || typeof side === 'boolean');
  if (typeof text !== 'string' || other === undefined) return false;
  return text === String(other) || numbersIn(text).includes(Number(other));
}

/** The number that a text is, with the signs of its currency or unit, in either way to write thousands. */
function numbersIn(text: string): readonly number[] {
  const [, digits] = /^[^\d.,-]*(-?[\d.,]*\d(?:e[+-]?\d+)?)[^\d.,]*$/i.exec(text) ?? [];
  if (digits === undefined) return [];
  const isGrouped = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits);
  const isEuropean = /^-?(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+)$/.test(digits);
  return [
    Number(digits),
    ...(isGrouped ? [Number(digits.replaceAll(',', ''))] : []),
    ...(isEuropean ? [Number(digits.replaceAll('.', '').replace(',', '.'))] : []),
  ];
}

const anyCase = /^(?:get|head|post|put|patch|delete|options)$/i;
/** `FAILED` is what `failed` denies; `Bob` and `bob` are two. */
const word = /^[a-z]+(?:[ _-][a-z]+)*$/i;
const uuid = /^\{?[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?$/i;

function areAlikeTexts(a: string, b: string): boolean {
  if (anyCase.test(a)) return a.toLowerCase() === b.toLowerCase();
  if (word.test(a) && (a.toUpperCase() === b || b.toUpperCase() === a)) return a !== b;
  const digits = uuidDigits(a);
  if (digits !== undefined) return digits === uuidDigits(b);
  if (isPath(a)) return areAlikePaths(a, b);
  const [left, right] = [toOrdered(a), toOrdered(b)];
  return (
    left !== undefined &&
    right !== undefined &&
    isMoment(left) &&
    isMoment(right) &&
    compareOrdered(left, right) === 0
  );
}

/** `/charge` may be meant as `/charge?id=1`, and many servers take `//charge`, `/charge/` and `/ch%61rge` for it. */
function areAlikePaths(a: string, b: string): boolean {
  const [[path, query], [other, otherQuery]] = [pathAndQuery(a), pathAndQuery(b)];
  return path === other && (query === otherQuery || query === '' || otherQuery === '');
}

function pathAndQuery(target: string): readonly [string, string] {
  const [path = '', ...query] = target.replace(/^\w+:\/\/[^/?]*/, '').split('?');
  const parts: string[] = [];
  for (const part of percentDecoded(path).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return [parts.join('/'), query.join('?')];
}

export function isPath(text: unknown): boolean {
  return typeof text === 'string' && text.startsWith('/');
}

/** The digits of a UUID in any spelling; undefined if it is not one. */
export function uuidDigits(text: string): string | undefined {
  return uuid.test(text) ? text.replace(/[-{}]/g, '').toLowerCase() : undefined;
}
