/** Which demanded keys of an entry are missing, or hold a placeholder. Pure. */

/** Placeholders for a text that is still to be written. */
const placeholders =
  /^(?:t\.?b\.?[adc]\.?|to\s?do|fix\s?me|n\/?a|none|unknown|\?+|-+|\.{2,}|…|x{3,})[.!:]?$/i;

export function isMissing(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === '' || placeholders.test(text.trim());
}

interface Incomplete {
  readonly key: string;
  /** The path of the key where it is written, otherwise that of the entry. */
  readonly at: readonly string[];
  /** What to write. */
  readonly next: string;
}

/** `texts` and `lists` say for each demanded key what it is for. */
export function incompleteKeys(
  entry: object,
  texts: Readonly<Record<string, string>>,
  lists: Readonly<Record<string, string>>,
): readonly Incomplete[] {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || ((Array.isArray(value) || typeof value === 'string') && value.length === 0);
  return [
    ...Object.entries(texts).filter(([key]) => isMissing(Reflect.get(entry, key))),
    ...Object.entries(lists).filter(([key]) => isEmpty(valueAt(entry, key))),
  ].map(([key, what]) => ({ key, at: Object.hasOwn(entry, key) ? [key] : [], next: `write it: ${what}` }));
}

/** Of `tiers.1`: the value under `1` of `tiers`. */
function valueAt(entry: object, key: string): unknown {
  return key.split('.').reduce<unknown>((value, step) => Object(value)[step], entry);
}
