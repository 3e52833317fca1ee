/** A place in the observed value: what is there, and the path that leads to it. */
import { parseExactJson } from '../kernel/exact-json.ts';
import type { Mismatch } from './match-result.ts';
import { isPlainMap, type PlainMap, presentKeys, toPlain } from './plain-value.ts';
import { clipText, printValue } from './print-value.ts';
import { extendPath, type PathKey } from './value-path.ts';

export interface Place {
  /** Seen through `toPlain`; undefined when nothing is there. */
  readonly value: unknown;
  readonly path: string;
  /** The map in which this key was looked for, to name its keys when the key is absent. */
  readonly parent?: unknown;
}

export function rootPlace(value: unknown): Place {
  return { value: toPlain(value), path: '$' };
}

/** One step down; a key that is not there gives a place with nothing in it. Inherited properties are not there. */
export function childPlace(place: Place, key: PathKey): Place {
  const { value: parent, path } = place;
  if (Array.isArray(parent)) {
    const index = typeof key === 'string' && /^\d+$/.test(key) ? Number(key) : key;
    const value = typeof index === 'number' ? toPlain(parent[index]) : undefined;
    return { value, path: extendPath(path, index) };
  }
  const kept = isPlainMap(parent) && path.endsWith('.headers') ? headerKey(parent, String(key)) : key;
  const value = isPlainMap(parent) && Object.hasOwn(parent, kept) ? toPlain(parent[kept]) : undefined;
  return { value, path: extendPath(path, kept), parent };
}

/** Names of headers may be written as anywhere; they are kept in lower case, and cookies as a list. */
function headerKey(headers: PlainMap, name: string): string {
  if (Object.hasOwn(headers, name)) return name;
  const lower = name.toLowerCase();
  return lower === 'set-cookie' && Object.hasOwn(headers, 'setCookie') ? 'setCookie' : lower;
}

/** The elements of a list as places; undefined when the place holds no list. */
export function elementPlaces(place: Place): readonly Place[] | undefined {
  if (!Array.isArray(place.value)) return undefined;
  return Array.from(place.value, (_, index) => childPlace(place, index));
}

export function mismatchAt(place: Place, expected: string, observed: string = printPlace(place)): Mismatch {
  const doubt = otherForm(place);
  return {
    path: place.path,
    expected: clipText(expected),
    observed: clipText(observed),
    ...(doubt === undefined ? {} : { doubt }),
  };
}

/** Why it proves nothing that nothing is there: a body is kept in one form, and has the text that is asked for in another. */
function otherForm({ value, parent, path }: Place): string | undefined {
  if (value !== undefined || !isPlainMap(parent) || !Object.hasOwn(parent, 'bytes')) return undefined;
  const kept = ['json', 'events', 'text'].find((form) => parent[form] !== undefined);
  const isAskedFor = path.endsWith('.text')
    ? kept !== undefined
    : path.endsWith('.json') && isJson(parent.text);
  if (!isAskedFor) return undefined;
  return `the body is there as \`${kept}\`, not as \`${path.endsWith('.text') ? 'text' : 'json'}\``;
}

function isJson(text: unknown): boolean {
  if (typeof text !== 'string' || !/^\s*[[{]/.test(text)) return false;
  try {
    parseExactJson(text);
    return true;
  } catch {
    return false;
  }
}

function printPlace({ value, parent }: Place): string {
  if (value !== undefined || !isPlainMap(parent)) return printValue(value);
  const keys = presentKeys(parent);
  return keys.length === 0
    ? 'nothing (the map is empty)'
    : `nothing (keys here: ${keys.slice(0, 30).join(', ')})`;
}
