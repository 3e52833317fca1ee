/** One lie: a value in an observation that a broken system might have shown instead. */
import { isPlainMap } from '../plain-value.ts';
import { extendPath, type PathKey } from '../value-path.ts';

export type LieKind =
  /** Another value of the same kind. */
  | 'value'
  /** The field is not there. */
  | 'missing'
  /** A value of another kind. */
  | 'type'
  /** A field that was not there. */
  | 'extra'
  /** Elements are gone, doubled, strange or in another order. */
  | 'list';

export interface Lie {
  readonly kind: LieKind;
  readonly keys: readonly PathKey[];
  /** What stands at the path instead; undefined where nothing does. */
  readonly value: unknown;
  /** In a few words, to stand after `could have been`. */
  readonly what: string;
  /** Nothing but the pattern suggests it, with these texts and numbers of its own. */
  readonly literals?: readonly unknown[];
  /** Places that it fills and where nothing stood. */
  readonly needs?: readonly string[];
}

/** The same value with the lie in it; what the lie does not touch is shared, never changed. */
export function tellLie(value: unknown, { keys, value: told }: Pick<Lie, 'keys' | 'value'>): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return told;
  if (Array.isArray(value)) {
    const copy = [...value];
    copy[Number(key)] = tellLie(value[Number(key)], { keys: rest, value: told });
    return copy;
  }
  if (!isPlainMap(value)) return rest.length === 0 ? { [key]: told } : tellLie({}, { keys, value: told });
  const inner = tellLie(Object.hasOwn(value, key) ? value[key] : undefined, { keys: rest, value: told });
  if (inner !== undefined) return { ...value, [key]: inner };
  const { [key]: _gone, ...kept } = value as Record<PathKey, unknown>;
  return kept;
}

/** What stands at the path; undefined where nothing does. */
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
