/** Lets PostgreSQL decide which rows have the values that a `where` names: they mean what `column = 'value'` means in SQL. */
import { uuidDigits } from '../../patterns/alike.ts';
import { isMoment, toOrdered } from '../../patterns/ordered-value.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { printValue } from '../../patterns/print-value.ts';
import { quoteName } from '../../resources/postgres/sql-names.ts';
import { CannotSee } from '../observer.ts';
import { type DatabaseLink, QueryRefused } from './database-link.ts';
import { fullName } from './find-tables.ts';
import type { Row } from './read-row.ts';
import type { Condition } from './select-rows.ts';
import type { ColumnShape, TableShape } from './table-catalogue.ts';
import { type Literal, replaceLiterals, type Scalar } from './where-literals.ts';

export interface Comparison {
  readonly condition: Condition;
  /** The condition for one row: each value that the row has is written as the row shows it. */
  spelt(row: Row, same: readonly boolean[]): unknown;
}

/** With `isOfMany`, the condition is for `{ table, row … }` of many tables, in which a value need not fit each. */
export async function compareInSql(
  link: DatabaseLink,
  where: unknown,
  shape: TableShape,
  isOfMany = false,
): Promise<Comparison> {
  const named: Literal[] = [];
  replaceLiterals(where, shape.columns, (literal) => named.push(literal) && literal.value, isOfMany);
  const compared: (Literal & { readonly text: string })[] = [];
  for (const literal of named) {
    const text = await comparisonOf(link, literal, compared.length + 1).catch((error: unknown) => {
      if (!(error instanceof QueryRefused) || !unfit.test(error.code)) throw error;
      if (isOfMany || isJson(literal.column)) return undefined;
      throw neverThere(shape, literal, error.message);
    });
    if (text !== undefined) compared.push({ ...literal, text });
  }
  return {
    condition: {
      text: isOfMany ? '' : demanded(where, shape.columns, compared).join(' AND '),
      same: compared.map(({ text }) => text),
      values: compared.map(({ value }) => String(value)),
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

/** The second is for types of which PostgreSQL knows no equality, such as `json`, `xml` and `point`. */
const ways = [
  (a: string, b: string): string => `${a} = ${b}`,
  (a: string, b: string): string => `to_jsonb(${a}) = to_jsonb(${b})`,
];
const noOperator = '42883';
/** Data exceptions, and a check of a domain. */
const unfit = /^22|^23514$/;

async function comparisonOf(
  link: DatabaseLink,
  { column, value }: Literal,
  number: number,
): Promise<string | undefined> {
  for (const compare of ways)
    try {
      const tried = `$1::${column.sqlType}`;
      await link.query(`SELECT ${compare(tried, tried)}`, [String(value)]);
      return compare(quoteName(column.name), `$${number}::${column.sqlType}`);
    } catch (error) {
      if (!(error instanceof QueryRefused) || error.code !== noOperator) throw error;
    }
  return undefined;
}

/** A value that no row can have would match nothing, which looks just like "there is no such row". */
function neverThere(shape: TableShape, { column, value }: Literal, because: string): CannotSee {
  return new CannotSee(
    `\`where\`: no row of ${fullName(shape)} can have ${printValue(value)} as ${column.name}: ${because}; write a value of its type`,
    'never',
  );
}

/** What every row must fulfil, of which it is sure that the database finds at least what the pattern would find in the row's JSON. */
function demanded(
  where: unknown,
  columns: readonly ColumnShape[],
  compared: readonly (Literal & { readonly text: string })[],
): readonly string[] {
  if (!isPlainMap(where)) return [];
  return columns.flatMap((column) => {
    if (!Object.hasOwn(where, column.name)) return [];
    const pattern = where[column.name];
    const isExact = isPlainMap(pattern) && Object.keys(pattern).join() === '$eq';
    const wanted = isExact ? pattern.$eq : pattern;
    if (wanted === null) return isJson(column) ? [] : [`${quoteName(column.name)} IS NULL`];
    const found = compared.find((one) => one.column === column && one.value === wanted);
    return found && isShownAsCompared(column, found.value) ? orAlike(column, found.value, found.text) : [];
  });
}

const texts = ['text', 'varchar', 'bpchar', 'other'];

/** An id or a moment that is kept as a text may be there in another spelling, which is for the pattern to doubt. */
function orAlike(column: ColumnShape, value: Scalar, text: string): readonly string[] {
  if (typeof value !== 'string' || !texts.includes(column.type)) return [text];
  const ordered = toOrdered(value);
  if (ordered && isMoment(ordered)) return [];
  const digits = uuidDigits(value);
  if (digits === undefined) return [text];
  return [`(${text} OR translate(lower(${quoteName(column.name)}::text), '{}-', '') = '${digits}')`];
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
