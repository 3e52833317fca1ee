/** The columns that a `rows` check refers to: in its condition, its order, its selection and its expectation. Pure. */
import { spokenKeys } from '../../../observers/spoken-keys.ts';

type RowsParts = { readonly [Key in 'where' | 'columns' | 'orderBy' | 'column']?: unknown };

export function spokenColumns(query: RowsParts, expect: unknown) {
  // `key` is the key of the check that contains it.
  const named = (key: string, names: readonly string[]) => names.map((name) => ({ name, key }));
  const all = [
    ...named('where', spokenKeys(query.where)),
    ...named('columns', Array.isArray(query.columns) ? query.columns.map(String) : []),
    ...named('orderBy', typeof query.orderBy === 'string' ? orderedBy(query.orderBy) : []),
    ...named('column', typeof query.column === 'string' ? [query.column] : []),
    ...named('expect', elementPatterns(expect).flatMap(spokenKeys)),
  ];
  const plain = all.filter(({ name }) => !name.includes('${'));
  return [...new Map(plain.map((one) => [JSON.stringify(one), one])).values()];
}

function orderedBy(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim().replace(/\s+(?:asc|desc)$/i, ''));
}

/** Of a pattern for a list: the patterns for its elements. */
function elementPatterns(pattern: unknown): readonly unknown[] {
  if (Array.isArray(pattern)) return pattern;
  if (typeof pattern !== 'object' || pattern === null) return [];
  return Object.entries(pattern).flatMap(([key, inner]) => {
    if (key === '$each' || key === '$some') return [inner];
    if (key === '$unordered' || key === '$contains') return Array.isArray(inner) ? inner : [inner];
    if (key === '$any' || key === '$all') return Array.isArray(inner) ? inner.flatMap(elementPatterns) : [];
    return key === '$not' ? elementPatterns(inner) : [];
  });
}
