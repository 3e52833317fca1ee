/** Which keys of a map, or of the elements of a list, a pattern mentions, and whether it can match one at all. Pure. */
import { isPlainMap } from './plain-value.ts';
import type { PathKey } from './value-path.ts';

export type Form = 'list' | 'map';

export interface SpokenKey {
  readonly key: string;
  /** The path to it in the pattern, itself included. */
  readonly at: readonly PathKey[];
  /** The pattern for it. */
  readonly pattern: unknown;
}

export function spokenOf(pattern: unknown, form: Form, at: readonly PathKey[] = []): readonly SpokenKey[] {
  const inside = (inner: unknown, next: Form, ...keys: PathKey[]) => spokenOf(inner, next, [...at, ...keys]);
  if (Array.isArray(pattern))
    return form === 'list' ? pattern.flatMap((inner, index) => inside(inner, 'map', index)) : [];
  if (!isPlainMap(pattern)) return [];
  return Object.entries(pattern).flatMap(([key, operand]) => {
    if (key === '$not') return inside(operand, form, key);
    if (key === '$any' || key === '$all')
      return eachOf(operand, (one, index) => inside(one, form, key, index));
    if (form === 'map') return key.startsWith('$') ? [] : [{ key, at: [...at, key], pattern: operand }];
    if (!elementOperators.includes(key)) return [];
    return Array.isArray(operand)
      ? eachOf(operand, (one, index) => inside(one, 'map', key, index))
      : inside(operand, 'map', key);
  });
}

const elementOperators = ['$each', '$some', '$contains', '$unordered'];

function eachOf<T>(operand: unknown, of: (one: unknown, index: number) => readonly T[]): readonly T[] {
  return Array.isArray(operand) ? operand.flatMap(of) : [];
}

/** False if no list, or no map, could ever match. A reference may be anything. */
export function canMatch(pattern: unknown, form: Form): boolean {
  if (typeof pattern === 'string') return pattern.includes('${');
  if (Array.isArray(pattern)) return form === 'list';
  if (!isPlainMap(pattern)) return false;
  return Object.entries(pattern).every(([key, operand]) => {
    if (!key.startsWith('$')) return form === 'map';
    if (ofTexts.includes(key)) return false;
    if (key === '$any') return Array.isArray(operand) && operand.some((one) => canMatch(one, form));
    if (key === '$all') return Array.isArray(operand) && operand.every((one) => canMatch(one, form));
    if (key === '$eq')
      return form === 'list' ? Array.isArray(operand) || isOpen(operand) : !Array.isArray(operand);
    return form === 'list' || !['$each', '$some', '$unordered', '$overlap'].includes(key);
  });
}

const ofTexts = ['$regex', '$startsWith', '$endsWith', '$lt', '$lte', '$gt', '$gte', '$between'];

function isOpen(operand: unknown): boolean {
  return typeof operand === 'string' && operand.includes('${');
}
