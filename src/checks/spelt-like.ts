/** A condition as it is spelt in what was shown to fulfil it: a database knows values in more spellings than a pattern. Pure. */
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
