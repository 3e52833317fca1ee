/** Every place of an observation that holds a plain value, an empty map or a list, within bounds. */
import { isPlainMap } from '../../patterns/plain-value.ts';
import { extendPath, type PathKey } from '../../patterns/value-path.ts';

export interface SeenPlace {
  readonly keys: readonly PathKey[];
  readonly path: string;
  readonly value: unknown;
}

/** Lists come before their elements; of a long list only the first elements are visited. */
export function walkPlaces(value: unknown, most = 400): readonly SeenPlace[] {
  const found: SeenPlace[] = [];
  const visit = (inner: unknown, keys: readonly PathKey[], path: string): void => {
    if (found.length >= most || keys.length > deepest) return;
    if (Array.isArray(inner)) {
      found.push({ keys, path, value: inner });
      for (const [index, element] of inner.slice(0, mostElements).entries())
        visit(element, [...keys, index], extendPath(path, index));
      return;
    }
    const entries = isPlainMap(inner) ? Object.entries(inner) : [];
    if (entries.length === 0) found.push({ keys, path, value: inner });
    for (const [key, below] of entries) visit(below, [...keys, key], extendPath(path, key));
  };
  visit(value, [], '$');
  return found;
}

const deepest = 24;
const mostElements = 20;

/** The path without element indexes: what holds for one element holds for the others. */
export function likePath(path: string): string {
  return path.replace(/\[\d+\]/g, '[]');
}
