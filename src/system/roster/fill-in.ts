/** Replaces `${it.…}` by the values of a manifest; every other reference stays for later. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { nearest } from '../../kernel/nearest.ts';
import {
  escapeReferences,
  isReference,
  parseReferences,
  type ReferencePart,
} from '../../kernel/references.ts';

/** An `it` reference for which the manifest has no value. */
export interface Gap {
  readonly reference: ReferencePart;
  readonly what: string;
  readonly allowed: string;
  readonly next: string;
}

export interface FilledText {
  readonly text: string;
  readonly gaps: readonly Gap[];
}

/** `protect` keeps a `${` in the manifest from being taken for a reference later. */
export function fillIn(text: string, it: Readonly<Record<string, unknown>>, protect: boolean): FilledText {
  const gaps: Gap[] = [];
  let filled = '';
  let end = 0;
  for (const reference of parseReferences(text).filter(isReference)) {
    if (reference.path[0] !== 'it') continue;
    const found = lookUp(it, reference);
    if (typeof found !== 'string') gaps.push(found);
    const value = typeof found === 'string' ? found : '';
    filled += text.slice(end, reference.offset) + (protect ? escapeReferences(value) : value);
    end = reference.offset + reference.length;
  }
  return { text: filled + text.slice(end), gaps };
}

function lookUp(it: Readonly<Record<string, unknown>>, reference: ReferencePart): string | Gap {
  let value: unknown = it;
  for (const [index, step] of reference.path.entries()) {
    if (index === 0) continue;
    if (!isPlainMap(value) || !Object.hasOwn(value, step)) return missing(value, reference, index);
    value = value[step];
  }
  return scalarText(value) ?? notAScalar(value, reference);
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  return value instanceof Date ? value.toISOString() : undefined;
}

function missing(parent: unknown, reference: ReferencePart, index: number): Gap {
  const keys = isPlainMap(parent) ? Object.keys(parent) : [];
  const above = reference.path.slice(0, index).join('.');
  const step = reference.path[index] as string;
  const guess = nearest(step, keys);
  return {
    reference,
    what: `\`${above}\` has no \`${step}\``,
    allowed: keys.length > 0 ? `${above} has: ${keys.join(', ')}` : `${above} is not a map`,
    next: guess
      ? `did you mean \`\${${[...reference.path.slice(0, index), guess].join('.')}}\`?`
      : `add \`${step}\` to the manifest, or change the reference`,
  };
}

function notAScalar(value: unknown, reference: ReferencePart): Gap {
  const keys = isPlainMap(value) ? Object.keys(value) : [];
  const first = keys[0];
  return {
    reference,
    what: `\`${reference.reference}\` is ${Array.isArray(value) ? 'a list' : value === null ? 'empty' : 'a map'}`,
    allowed: 'a text, a number, true or false',
    next:
      first === undefined
        ? 'name a single value of the manifest'
        : `name one of its keys: \`\${${reference.reference}.${first}}\``,
  };
}

function isPlainMap(value: unknown): value is JsonMap {
  return isMap(value) && !(value instanceof Date);
}
