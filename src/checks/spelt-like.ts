/** A condition in the spelling of values that fulfilled it: databases accept more spellings than patterns. Pure. */
import { isPlainMap } from '../patterns/plain-value.ts';
import { holdAgainst } from './hold-against.ts';

export function speltLike(where: unknown, shown: unknown): unknown {
  if (holdAgainst({ expect: where }, shown).held) return where;
  if (!isPlainMap(where) || !isPlainMap(shown)) return { $eq: shown };
  return Object.fromEntries(
    Object.entries(where).map(([key, pattern]) => [
      key,
      Object.hasOwn(shown, key) ? speltLike(pattern, shown[key]) : pattern,
    ]),
  );
}
