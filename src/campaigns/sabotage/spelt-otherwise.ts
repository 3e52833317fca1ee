/** Values that are not there because they are written differently there, or count further than anything did. */
import { isPlainMap } from '../../patterns/plain-value.ts';
import type { PathKey } from '../../patterns/value-path.ts';

/** With other blanks, signs or capitals than a value there; or as the first word of a line, with other capitals. */
export function isOtherwiseSpelt(literal: string, pattern: unknown, seen: readonly unknown[]): boolean {
  const texts = seen.filter((value) => typeof value === 'string');
  if (!isPlainMap(pattern)) {
    const plain = plainText(literal);
    const isThere = texts.some((text) => plainText(text) === plain);
    return plain !== '' && isThere && !texts.includes(literal);
  }
  const { $regex, $flags = '' } = pattern;
  const [, word = ''] = typeof $regex === 'string' ? (/^\^([\p{L}]{3,})/u.exec($regex) ?? []) : [];
  if (word === '' || String($flags).includes('i')) return false;
  const first = new Set(texts.flatMap((text) => /^\p{L}+/u.exec(text) ?? []));
  return !first.has(word) && [...first].some((one) => one.toLowerCase() === word.toLowerCase());
}

function plainText(text: string): string {
  return text.replaceAll(/[^\p{L}\d]/gu, '').toLowerCase();
}

const leastFar = 100;
const farTimes = 10;

/** A number of a thing, where numbers are given one after the other and none came near it. */
export function isOutOfReach(literal: unknown, keys: readonly PathKey[], seen: readonly unknown[]): boolean {
  if (typeof literal !== 'number' || !/(?:^|_)id$|Id$/.test(String(keys.at(-1)))) return false;
  const numbers = seen.filter((value) => typeof value === 'number');
  if (numbers.length < seen.length) return false;
  return literal >= leastFar && literal > farTimes * Math.max(...numbers);
}
