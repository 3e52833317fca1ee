/** The values that a `where` names for columns. Pure. */
import { type AnyNumber, isAnyNumber } from '../../../kernel/exact-json.ts';
import { isPlainMap, toPlain } from '../../../patterns/plain-value.ts';
import type { ColumnShape } from '../table-catalogue.ts';

export interface Literal {
  readonly column: ColumnShape;
  readonly value: Scalar;
}

export type Scalar = string | AnyNumber | boolean;

/** The condition with other values for those that it names. Lists and maps of a column, and other operators, stay. */
export function replaceLiterals(
  where: unknown,
  columns: readonly ColumnShape[],
  replace: (literal: Literal) => unknown,
  isOfMany = false,
): unknown {
  const among = (part: unknown): unknown => replaceLiterals(part, columns, replace, isOfMany);
  return mapEntries(where, (key, pattern) => {
    if (key === '$not') return among(pattern);
    if (key === '$any' || key === '$all') return Array.isArray(pattern) ? pattern.map(among) : pattern;
    if (isOfMany) return key === 'row' ? replaceLiterals(pattern, columns, replace) : pattern;
    const column = columns.find(({ name }) => name === key);
    return column ? inColumn(pattern, (value) => replace({ column, value })) : pattern;
  });
}

function inColumn(pattern: unknown, replace: (value: Scalar) => unknown): unknown {
  const exact = (operand: unknown): unknown => {
    const plain = toPlain(operand);
    return isNamed(plain) ? replace(plain) : operand;
  };
  const among = (part: unknown): unknown => inColumn(part, replace);
  if (!isPlainMap(toPlain(pattern))) {
    const value = exact(pattern);
    return value === pattern ? pattern : { $eq: value };
  }
  return mapEntries(pattern, (key, operand) => {
    if (key === '$eq' || key === '$ne') return exact(operand);
    if (key === '$not') return among(operand);
    return (key === '$any' || key === '$all') && Array.isArray(operand) ? operand.map(among) : operand;
  });
}

function mapEntries(map: unknown, change: (key: string, value: unknown) => unknown): unknown {
  if (!isPlainMap(map)) return map;
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(key, value)]));
}

function isNamed(value: unknown): value is Scalar {
  return typeof value === 'string' ? isStorable(value) : typeof value === 'boolean' || isAnyNumber(value);
}

/** PostgreSQL keeps no zero character and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
