/** A pattern for what was the same in every attempt, and would be again. Pure. */

import { isDeepStrictEqual } from 'node:util';
import { steadyText, steadyValue } from '../../journal/steady-value.ts';
import { isMap } from '../../kernel/is-map.ts';

const longText = 300;
const longList = 20;

/**
 * `values` are those of the same place in each attempt; texts in `spared` count as stable. Undefined if nothing can be
 * said, and the place should be omitted.
 */
export function stablePattern(
  values: readonly unknown[],
  spared: readonly string[] = [],
  name = '',
): unknown {
  const [first] = values;
  if (Array.isArray(first)) return listPattern(values, spared);
  if (isMap(first)) return mapPattern(values, spared);
  if (!values.every((value) => typeof value === typeof first)) return undefined;
  const isSame = values.every((value) => value === first);
  if (typeof first === 'string') return textPattern(first, isSame, spared);
  if (typeof first === 'number')
    return isSame && steadyValue(first) === first && !unsteadyNames.test(name) ? first : { $type: 'number' };
  if (isSame) return first;
  return typeof first === 'boolean' ? { $type: 'boolean' } : undefined;
}

/** Numbers with these names vary. */
const unsteadyNames = /(?:ms|seconds|duration|elapsed|latency|took|time|uptime|pid|port|memory|rss|bytes)$/i;

function textPattern(text: string, isSame: boolean, spared: readonly string[]): unknown {
  const bare = spared.reduce((rest, one) => rest.replaceAll(one, ''), text);
  if (!isSame || steadyText(bare) !== bare) return { $type: 'string' };
  return text.length > longText ? { $startsWith: text.slice(0, longText / 4) } : text;
}

function listPattern(values: readonly unknown[], spared: readonly string[]): unknown {
  const lists = values.filter((value) => Array.isArray(value));
  const [first = []] = lists;
  const isAlike = lists.length === values.length && lists.every((list) => list.length === first.length);
  if (!isAlike || first.length > longList) return { $type: 'array' };
  const items = first.map((_, index) =>
    stablePattern(
      lists.map((list) => list[index]),
      spared,
    ),
  );
  return items.includes(undefined) ? { $type: 'array' } : items;
}

function mapPattern(values: readonly unknown[], spared: readonly string[]): unknown {
  const maps = values.filter(isMap);
  const [first = {}] = maps;
  if (maps.length < values.length) return undefined;
  const names = Object.keys(first).filter((name) => maps.every((map) => Object.hasOwn(map, name)));
  // A key that begins with `$` would be an operator.
  if (names.some((name) => name.startsWith('$')))
    return maps.every((map) => isDeepStrictEqual(map, first)) ? { $eq: first } : { $type: 'object' };
  const patterns = names.map((name) => [
    name,
    stablePattern(
      maps.map((map) => map[name]),
      spared,
      name,
    ),
  ]);
  return Object.fromEntries(patterns.filter(([, pattern]) => pattern !== undefined));
}
