/** One mutant: a value in an observation that a broken system might have shown instead. */
import { isPlainMap } from '../plain-value.ts';
import { extendPath, type PathKey } from '../value-path.ts';

export type MutantKind =
  /** Another value of the same type. */
  | 'value'
  /** The field is missing. */
  | 'missing'
  /** A value of another type. */
  | 'type'
  /** A field that was absent. */
  | 'extra'
  /** Elements are missing, duplicated, foreign or in another order. */
  | 'list';

export interface Mutant {
  readonly kind: MutantKind;
  readonly keys: readonly PathKey[];
  /** The value at the path instead; undefined for none. */
  readonly value: unknown;
  /** In a few words, to follow `could have been`. */
  readonly what: string;
  /** Only the pattern suggests it, with these texts and numbers of its own. */
  readonly literals?: readonly unknown[];
  /** Places that it fills and that were empty. */
  readonly needs?: readonly string[];
}

/** The same value with the mutant applied; unaffected parts are shared, never changed. */
export function applyMutant(
  value: unknown,
  { keys, value: mutated }: Pick<Mutant, 'keys' | 'value'>,
): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return mutated;
  if (Array.isArray(value)) {
    const copy = [...value];
    copy[Number(key)] = applyMutant(value[Number(key)], { keys: rest, value: mutated });
    return copy;
  }
  if (!isPlainMap(value))
    return rest.length === 0 ? { [key]: mutated } : applyMutant({}, { keys, value: mutated });
  const inner = applyMutant(Object.hasOwn(value, key) ? value[key] : undefined, {
    keys: rest,
    value: mutated,
  });
  if (inner !== undefined) return { ...value, [key]: inner };
  const { [key]: _gone, ...kept } = value as Record<PathKey, unknown>;
  return kept;
}

/** The value at the path; undefined if there is none. */
export function valueAt(value: unknown, keys: readonly PathKey[]): unknown {
  let inner = value;
  for (const key of keys) {
    if (Array.isArray(inner)) inner = inner[Number(key)];
    else if (isPlainMap(inner) && Object.hasOwn(inner, key)) inner = inner[key];
    else return undefined;
  }
  return inner;
}

export function pathOf(keys: readonly PathKey[]): string {
  return keys.reduce<string>(extendPath, '$');
}
