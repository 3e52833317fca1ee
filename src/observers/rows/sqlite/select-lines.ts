/** Reads the rows of one table as JSON texts, bounded in number, size and time. */
import { createHash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { exactJsonOr } from '../../../kernel/exact-json.ts';
import { quoteName } from '../../../resources/postgres/sql-names.ts';
import { jsonSpellings } from '../database/json-spellings.ts';
import { TookTooLong } from '../database/refusals.ts';
import type { SeenRow, Selection } from '../select-rows.ts';
import type { ColumnShape, TableShape } from '../table-catalogue.ts';
import { bound } from './sqlite-dialect.ts';

export function selectLines(
  database: DatabaseSync,
  selection: Selection,
  isOver: () => boolean,
): readonly SeenRow[] | undefined {
  const { columns, condition, containing } = selection;
  const found: SeenRow[] = [];
  let bytes = 0;
  for (const values of rowsOf(
    database.prepare(selectText(database, selection)),
    (condition?.values ?? []).map(bound),
    isOver,
  )) {
    const json = lineOf(columns, values);
    if (containing !== undefined && !mayContain(json, containing)) continue;
    bytes += Buffer.byteLength(json);
    if (found.length === selection.rows || bytes > selection.bytes) return undefined;
    found.push({ json, same: values.slice(columns.length).map((answer) => answer === 1n) });
  }
  return found;
}

function selectText(database: DatabaseSync, selection: Selection): string {
  const { shape, columns, condition } = selection;
  const order = selection.order ?? naturalOrder(database, shape);
  const same = (condition?.same ?? []).map((one) => `(${one}) IS TRUE`);
  return [
    `SELECT ${numbered([...columns.map(shown), ...same])} FROM ${quoteName(shape.name)}`,
    ...(condition?.text ? [`WHERE ${condition.text}`] : []),
    ...(order.length === 0 ? [] : [`ORDER BY ${order.join(', ')}`]),
  ].join(' ');
}

/** JSON in SQLite's binary form is shown as its text. */
function shown({ name, type }: ColumnShape): string {
  const column = quoteName(name);
  return type === 'json'
    ? `iif(typeof(${column}) = 'blob' AND json_valid(${column}, 8), json(${column}), ${column})`
    : column;
}

/** Under names of ours, in whose order an object keeps them. */
function numbered(expressions: readonly string[]): string {
  return expressions.map((text, index) => `${text} AS "‹${index}›"`).join(', ') || '*';
}

/** A key that counts up, or else the order in which rows came. */
function naturalOrder(database: DatabaseSync, { name, key, columns }: TableShape): readonly string[] {
  const counts = key.every((part) => columns.find((column) => column.name === part)?.type === 'int8');
  if (key.length > 0 && counts) return key.map(quoteName);
  const withNumbers = database.prepare(
    "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND name = ? AND type = 'table' AND wr = 0",
  );
  return withNumbers.get(name) ? ['rowid'] : key.map(quoteName);
}

export function sumLines(
  database: DatabaseSync,
  { name, columns }: TableShape,
  isOver: () => boolean,
): { count: string; hash: string } {
  const text = `SELECT ${numbered(columns.map(shown))} FROM ${quoteName(name)}`;
  let [count, sum] = [0, 0n];
  for (const values of rowsOf(database.prepare(text), [], isOver)) {
    count += 1;
    sum += createHash('sha256').update(lineOf(columns, values)).digest().readBigUInt64LE();
  }
  return { count: String(count), hash: String(sum) };
}

/** Rows between which the time is looked at. */
const rowsAtOnce = 500;

function* rowsOf(
  statement: StatementSync,
  values: readonly (string | number | bigint)[],
  isOver: () => boolean,
): Generator<readonly unknown[]> {
  statement.setReadBigInts(true);
  let count = 0;
  for (const row of statement.iterate(...values)) {
    count += 1;
    if (count % rowsAtOnce === 0 && isOver()) throw new TookTooLong();
    yield Object.values(row);
  }
}

function lineOf(columns: readonly ColumnShape[], values: readonly unknown[]): string {
  return `{${columns.map(({ name, type }, index) => `${JSON.stringify(name)}:${printed(type, values[index])}`).join(',')}}`;
}

function printed(type: string, value: unknown): string {
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('hex'));
  if (type === 'bool' && (value === 0n || value === 1n)) return String(value === 1n);
  if (type === 'json' && typeof value === 'string' && exactJsonOr(value, undefined) !== undefined)
    return value;
  // JSON has no word for it; PostgreSQL writes it this way, too.
  return JSON.stringify(value === Infinity || value === -Infinity ? String(value) : value);
}

/** The text as it is, or in a string of JSON, with escapes. */
function mayContain(json: string, text: string): boolean {
  return json.includes(text) || (json.includes('\\') && new RegExp(jsonSpellings(text), 'u').test(json));
}
