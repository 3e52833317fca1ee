/** Lets the database decide which rows have the values that a `where` names: they mean what `column = 'value'` means in SQL. */
import { isPlainMap } from '../../patterns/plain-value.ts';
import { printValue } from '../../patterns/print-value.ts';
import { quoteName } from '../../resources/postgres/sql-names.ts';
import { ObservationError } from '../observer.ts';
import type { Database, Dialect } from './database/database.ts';
import { QueryRefused } from './database/refusals.ts';
import { type Literal, replaceLiterals, type Scalar } from './database/where-literals.ts';
import { fullName } from './find-tables.ts';
import type { Row } from './read-row.ts';
import type { Condition } from './select-rows.ts';
import type { ColumnShape, TableShape } from './table-catalogue.ts';

export interface Comparison {
  readonly condition: Condition;
  /** The condition for one row: each value that the row has is written as the row shows it. */
  spelt(row: Row, same: readonly boolean[]): unknown;
}

/** With `isOfMany`, the condition is for `{ table, row … }` of many tables, in which a value need not fit each. */
export async function compareInSql(
  { dialect }: Pick<Database, 'dialect'>,
  where: unknown,
  shape: TableShape,
  isOfMany = false,
): Promise<Comparison> {
  const named: Literal[] = [];
  replaceLiterals(where, shape.columns, (literal) => named.push(literal) && literal.value, isOfMany);
  const compared: (Literal & { readonly text: string })[] = [];
  for (const literal of named) {
    const { column } = literal;
    const way = await dialect.wayFor(literal, isOfMany || isJson(column)).catch((error: unknown) => {
      throw error instanceof QueryRefused && unfit.test(error.code)
        ? neverThere(shape, literal, error.message)
        : error;
    });
    const text = way?.(quoteName(column.name), dialect.parameter(compared.length + 1, column));
    if (text !== undefined) compared.push({ ...literal, text });
  }
  return {
    condition: {
      text: isOfMany ? '' : demanded(where, shape.columns, compared, dialect).join(' AND '),
      same: compared.map(({ text }) => text),
      values: compared.map(({ value }) => value),
    },
    spelt: (row, same) => {
      const isSame = ({ column, value }: Literal): boolean =>
        compared.some((one, index) => same[index] && one.column === column && one.value === value);
      if (!same.includes(true)) return where;
      const spell = (literal: Literal): unknown =>
        isSame(literal) ? row[literal.column.name] : literal.value;
      return replaceLiterals(where, shape.columns, spell, isOfMany);
    },
  };
}

/** Data exceptions, a check of a domain, and what some types say instead, such as `tsquery` and `regclass`. */
const unfit = /^22|^(?:23514|42601|42P01)$/;

/** A value that no row can have would match nothing, which looks just like "there is no such row". */
function neverThere(shape: TableShape, { column, value }: Literal, because: string): ObservationError {
  return new ObservationError(
    `\`where\`: no row of ${fullName(shape)} can have ${printValue(value)} as ${column.name}: ${because}; write a value of its type`,
  );
}

/** What every row must fulfil, of which it is sure that the database finds at least what the pattern would find in the row's JSON. */
function demanded(
  where: unknown,
  columns: readonly ColumnShape[],
  compared: readonly (Literal & { readonly text: string })[],
  { others: othersOf }: Dialect,
): readonly string[] {
  if (!isPlainMap(where)) return [];
  return columns.flatMap((column) => {
    if (!Object.hasOwn(where, column.name)) return [];
    const pattern = where[column.name];
    const isExact = isPlainMap(pattern) && Object.keys(pattern).join() === '$eq';
    const wanted = isExact ? pattern.$eq : pattern;
    if (wanted === null) return isJson(column) ? [] : [`${quoteName(column.name)} IS NULL`];
    const found = compared.find((one) => one.column === column && one.value === wanted);
    if (!found || !isShownAsCompared(column, found.value)) return [];
    const others = othersOf(column, found.value);
    return [others === undefined ? found.text : `(${found.text} OR ${others})`];
  });
}

const numbers = ['int2', 'int4', 'int8', 'numeric', 'float4', 'float8'];

/** A text may be the number `7` and be spelt `07`, which is for the pattern to doubt. */
function isShownAsCompared(column: ColumnShape, value: Scalar): boolean {
  if (typeof value === 'string') return column.type !== 'bytea' && !isJson(column);
  return typeof value === 'boolean' ? column.type === 'bool' : numbers.includes(column.type);
}

/** Its JSON is shown as data: any text may be in there, and `null` looks like no value at all. */
function isJson({ type }: ColumnShape): boolean {
  return type === 'json' || type === 'jsonb';
}
