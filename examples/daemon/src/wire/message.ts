/** Looks into a message: property lists are read key by key, and values of other types are ignored. */
import { Keyword, type Value } from './sexp.ts';

/** `field(message, 'PAYLOAD', 'TEXT')`; undefined where there is no such key. */
export function field(message: Value, ...path: readonly string[]): Value | undefined {
  let value: Value | undefined = message;
  for (const key of path) {
    if (!Array.isArray(value)) return undefined;
    const list = value as readonly Value[];
    const at = list.findIndex(
      (item, index) => index % 2 === 0 && item instanceof Keyword && item.name === key,
    );
    value = at < 0 ? undefined : list[at + 1];
  }
  return value;
}

export function textAt(message: Value, ...path: readonly string[]): string | undefined {
  const value = field(message, ...path);
  return typeof value === 'string' ? value : undefined;
}

/** A keyword or a text as a name in lower case: `:CLI`, `:cli` and `"cli"` are the same. */
export function nameAt(message: Value, ...path: readonly string[]): string | undefined {
  const value = field(message, ...path);
  if (value instanceof Keyword) return value.name.toLowerCase();
  return typeof value === 'string' ? value.toLowerCase() : undefined;
}
