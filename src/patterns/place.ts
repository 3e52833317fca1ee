/** A place in the observed value: what is there, and the path that leads to it. */
import type { Mismatch } from './match-result.ts';
import { isPlainMap, presentKeys, toPlain } from './plain-value.ts';
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
  const value = isPlainMap(parent) && Object.hasOwn(parent, key) ? toPlain(parent[key]) : undefined;
  return { value, path: extendPath(path, key), parent };
}

/** The elements of a list as places; undefined when the place holds no list. */
export function elementPlaces(place: Place): readonly Place[] | undefined {
  if (!Array.isArray(place.value)) return undefined;
  return Array.from(place.value, (_, index) => childPlace(place, index));
}

export function mismatchAt(place: Place, expected: string, observed: string = printPlace(place)): Mismatch {
  return { path: place.path, expected: clipText(expected), observed: clipText(observed) };
}

/** The forms in which the body of a message is kept: one of them, whichever fits. */
const bodyForms = ['json', 'text', 'events'];

/** Why it says nothing that nothing is there: the body is kept in another form. */
export function otherForm({ value, parent, path }: Place): string | undefined {
  if (value !== undefined || !isPlainMap(parent) || !Object.hasOwn(parent, 'bytes')) return undefined;
  const wanted = bodyForms.find((form) => path.endsWith(`.${form}`));
  const kept = bodyForms.find((form) => parent[form] !== undefined);
  if (wanted === undefined || kept === undefined) return undefined;
  return `the body is there as \`${kept}\`, not as \`${wanted}\``;
}

function printPlace({ value, parent }: Place): string {
  if (value !== undefined || !isPlainMap(parent)) return printValue(value);
  const keys = presentKeys(parent);
  return keys.length === 0
    ? 'nothing (the map is empty)'
    : `nothing (keys here: ${keys.slice(0, 30).join(', ')})`;
}
