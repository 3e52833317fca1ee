/** The part of a `where` that the database can decide by itself. Pure. */
import { type AnyNumber, isAnyNumber } from '../../kernel/exact-json.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { quoteName } from '../../resources/postgres/sql-names.ts';
import type { ColumnShape, TableShape } from './table-catalogue.ts';

export interface Condition {
  /** SQL in which `$1` … stand for the values; empty when nothing can be decided there. */
  readonly text: string;
  readonly values: readonly string[];
}

/**
 * Only equalities of which it is sure that the database finds at least what the pattern would find in the row's JSON.
 * Everything else, and a value that does not fit its column, is left to the pattern.
 */
export function pushDown(where: unknown, { columns }: TableShape): Condition {
  const values: string[] = [];
  if (!isPlainMap(where)) return { text: '', values };
  const conditions = columns.flatMap((column) => {
    const wanted = Object.hasOwn(where, column.name) ? literalOf(where[column.name]) : undefined;
    if (wanted === undefined) return [];
    if (wanted === null) return isJson(column) ? [] : [`${quoteName(column.name)} IS NULL`];
    const cast = castFor(column, wanted);
    if (cast === undefined) return [];
    values.push(String(wanted));
    const name = column.type === 'enum' ? `${quoteName(column.name)}::text` : quoteName(column.name);
    return [`${name} = $${values.length}::${cast}`];
  });
  return { text: conditions.join(' AND '), values };
}

type Scalar = string | AnyNumber | boolean | null;

/** The one value that the pattern accepts; undefined when it is another kind of pattern. */
function literalOf(pattern: unknown): Scalar | undefined {
  if (isPlainMap(pattern)) {
    const keys = Object.keys(pattern);
    return keys.length === 1 && keys[0] === '$eq' && !isPlainMap(pattern.$eq)
      ? literalOf(pattern.$eq)
      : undefined;
  }
  if (pattern === null || typeof pattern === 'boolean') return pattern;
  if (typeof pattern === 'number') return Number.isFinite(pattern) ? pattern : undefined;
  if (isAnyNumber(pattern)) return pattern;
  return typeof pattern === 'string' && isStorable(pattern) ? pattern : undefined;
}

/** PostgreSQL keeps no zero character and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The type to which the value is cast, and with which the column is compared. `float4` and `bpchar` print otherwise than they compare. */
function castFor({ type }: ColumnShape, wanted: string | AnyNumber | boolean): string | undefined {
  if (typeof wanted === 'boolean') return type === 'bool' ? 'boolean' : undefined;
  if (isAnyNumber(wanted)) {
    if (type === 'float8') return typeof wanted === 'number' ? 'float8' : undefined;
    if (type === 'numeric') return 'numeric';
    const isWhole =
      Number.isSafeInteger(wanted) || (typeof wanted === 'bigint' && BigInt.asIntN(64, wanted) === wanted);
    return ['int2', 'int4', 'int8'].includes(type) && isWhole ? 'bigint' : undefined;
  }
  if (type === 'uuid') return uuid.test(wanted) ? 'uuid' : undefined;
  return ['text', 'varchar', 'enum'].includes(type) ? 'text' : undefined;
}

/** In a row's JSON, a JSON `null` and no value at all look alike. */
function isJson({ type }: ColumnShape): boolean {
  return type === 'json' || type === 'jsonb';
}
