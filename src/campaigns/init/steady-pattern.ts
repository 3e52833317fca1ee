/** What two answers to the same request have in common, as a pattern that a third one should match. Pure. */

import type { JsonMap } from '../../kernel/is-map.ts';
import { isMap } from '../../kernel/is-map.ts';

export interface SteadyPattern {
  readonly expect: JsonMap;
  /** How much of the answer it describes. */
  readonly facts: number;
}

const mostFacts = 8;
const longestText = 120;

/** Undefined where there was no answer, or another one each time. */
export function steadyPattern(first: JsonMap, second: JsonMap): SteadyPattern | undefined {
  const { status } = first;
  if (typeof status !== 'number' || status !== second.status) return undefined;
  const body =
    first.json === undefined ? textPattern(first.text, second.text) : valuePattern(first.json, second.json);
  if (body !== undefined && factsIn(body) > 0)
    return { expect: { status, [first.json === undefined ? 'text' : 'json']: body }, facts: factsIn(body) };
  const type = isMap(first.headers) ? first.headers['content-type'] : undefined;
  const [media = ''] = typeof type === 'string' ? type.split(';') : [];
  return {
    expect: { status, ...(media === '' ? {} : { headers: { 'content-type': { $contains: media } } }) },
    facts: 0,
  };
}

function valuePattern(first: unknown, second: unknown): unknown {
  if (isMap(first) && isMap(second)) return mapPattern(first, second);
  if (Array.isArray(first) && Array.isArray(second))
    return first.length === 0 && second.length === 0 ? [] : { $type: 'array' };
  if (typeof first === 'string') return first === second && isSaid(first) ? first : { $type: 'string' };
  if (typeof first === 'boolean' || first === null) return first === second ? first : undefined;
  return typeof first === 'number' && typeof second === 'number' ? { $type: 'number' } : undefined;
}

/** Keys that begin with `$` would be operators. */
function mapPattern(first: JsonMap, second: JsonMap): JsonMap | undefined {
  let left = mostFacts;
  const kept = Object.entries(first).flatMap(([key, value]) => {
    const pattern = key.startsWith('$') || left <= 0 ? undefined : valuePattern(value, second[key]);
    if (pattern === undefined) return [];
    left -= 1;
    return [[key, pattern] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Said by the program, not drawn or counted: of digits only versions. And nothing that a pattern would take for a reference. */
function isSaid(text: string): boolean {
  const isVersion = /^v?\d+(?:\.\d+)+$/.test(text);
  return text !== '' && text.length <= longestText && !text.includes('${') && (isVersion || !/\d/.test(text));
}

function textPattern(first: unknown, second: unknown): unknown {
  if (typeof first !== 'string' || typeof second !== 'string') return undefined;
  if (first === second && isSaid(first)) return first;
  const title = /<title>[^<]+<\/title>/i.exec(first)?.[0];
  const pieces = title === undefined ? first.split(/[\n<>]|\S*\d\S*/) : [title];
  const shared = pieces
    .map((piece) => piece.trim())
    .filter((piece) => isSaid(piece) && second.includes(piece));
  const longest = shared.sort((a, b) => b.length - a.length)[0];
  return longest === undefined || longest.length < 2 ? undefined : { $contains: longest };
}

/** Values, rather than their types. */
function factsIn(pattern: unknown): number {
  if (Array.isArray(pattern)) return 1;
  if (!isMap(pattern)) return 1;
  if ('$type' in pattern) return 0.1;
  return Object.values(pattern).reduce<number>((sum, inner) => sum + factsIn(inner), 0);
}
