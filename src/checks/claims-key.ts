/** Whether a check of a store of keys looks where a key changed. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { jsonInText } from '../kinds/redis/json-in-text.ts';
import { keyExpression } from '../kinds/redis/key-glob.ts';
import { createRegexTester } from '../patterns/bounded-regex.ts';
import { isPlainMap } from '../patterns/plain-value.ts';

type Change = Readonly<Record<string, unknown>>;

/** `asked` is its query. A database that is not named is the usual one, whichever that is. */
export function looksAtKey(asked: Change, { store, database, key }: Change): boolean {
  if (asked.store !== store || (asked.database ?? database) !== database) return false;
  const glob = asked.key;
  if (typeof glob !== 'string') return true;
  return createRegexTester().test(keyExpression(glob), '', String(key)) === true;
}

/** The element that shows what changed. */
export function keyOf({ key, type, value, groups }: Change): Change {
  return groups === undefined ? { key, type, value } : { key, type, value, groups };
}

/** The time that is left of it aside. A check may have been shown a text where the change has what is in it. */
export function isSameKey(seen: Change, key: unknown): boolean {
  const { key: name, type, value, groups } = key as Change;
  if (seen.key !== name || seen.type !== type || !isDeepStrictEqual(seen.groups, groups)) return false;
  return isDeepStrictEqual(seen.value, value) || isDeepStrictEqual(unfolded(seen.value), unfolded(value));
}

function unfolded(value: unknown): unknown {
  if (typeof value === 'string') return jsonInText(value);
  if (Array.isArray(value)) return value.map(unfolded);
  if (!isPlainMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unfolded(inner)]));
}
