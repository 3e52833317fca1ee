/** Reads the rows of one table as JSON texts, bounded in number and size. */
import { quoteName } from '../../resources/postgres/sql-names.ts';
import { jsonSpellings } from './database/json-spellings.ts';
import type { Scalar } from './database/where-literals.ts';
import type { DatabaseLink } from './database-link.ts';
import type { ColumnShape, TableShape } from './table-catalogue.ts';

export interface Condition {
  /** SQL with parameters for the values; empty when nothing can be decided there. */
  readonly text: string;
  /** SQL that is answered for each row. */
  readonly same: readonly string[];
  readonly values: readonly Scalar[];
}

export interface SeenRow {
  readonly json: string;
  /** The answers to `same`. */
  readonly same: readonly boolean[];
}

export interface Selection {
  readonly shape: TableShape;
  readonly columns: readonly ColumnShape[];
  readonly condition?: Condition;
  /** Only rows whose JSON has this text in it, or may have it in a string, with escapes. */
  readonly containing?: string;
  /** Columns for `ORDER BY`, quoted; without it, the order of the key where it counts up, else that of the table. */
  readonly order?: readonly string[];
  readonly rows: number;
  readonly bytes: number;
}

/** Undefined when there are more rows, or larger ones, than the selection allows. */
export async function selectRows(
  link: DatabaseLink,
  selection: Selection,
): Promise<readonly SeenRow[] | undefined> {
  const { condition, containing } = selection;
  const values = [
    ...(condition?.values ?? []).map(String),
    ...(containing === undefined ? [] : [containing, jsonSpellings(containing)]),
  ];
  const answer = await link.query(selectText(selection), values);
  if (answer.length > selection.rows || answer.some(({ json }) => json === null)) return undefined;
  return answer as unknown as readonly SeenRow[];
}

/** The server adds up the size, so that what is too large is not even sent. */
function selectText(selection: Selection): string {
  const { shape, columns, condition, containing, rows, bytes } = selection;
  const order = selection.order ?? naturalOrder(shape);
  const same = condition?.same.map((text) => `(${text}) IS TRUE`).join(', ') ?? '';
  const part = [
    `SELECT (SELECT to_json(line.*)::text FROM (SELECT ${columns.map(selectColumn).join(', ')}) line) AS json,`,
    `ARRAY[${same}]::boolean[] AS same FROM ${tableText(shape)} listed`,
    ...(condition?.text ? [`WHERE ${condition.text}`] : []),
    // Alone, `same` would be what is selected under this name, not the column.
    ...(order.length === 0 ? [] : [`ORDER BY ${order.map((column) => `listed.${column}`).join(', ')}`]),
  ];
  const search = containing === undefined ? '' : `WHERE ${searchText(condition?.values.length ?? 0)}`;
  return `
    WITH seen AS MATERIALIZED (
      SELECT row_number() OVER () AS place, json, same FROM (${part.join(' ')}) part ${search}
      LIMIT ${rows + 1}
    )
    SELECT CASE WHEN (SELECT sum(octet_length(json)) FROM seen) <= ${bytes} THEN json END AS json, same
    FROM seen ORDER BY place`;
}

/** The expression takes time, which few rows need. */
function searchText(values: number): string {
  const [asItIs, escaped] = [`$${values + 1}`, `$${values + 2}`];
  return `(position(${asItIs} in json) > 0 OR (position(chr(92) in json) > 0 AND json ~ ${escaped}))`;
}

export function tableText({ schema, name }: TableShape): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

function selectColumn({ name, type }: ColumnShape): string {
  const quoted = quoteName(name);
  return type === 'bytea' ? `encode(${quoted}, 'hex') AS ${quoted}` : quoted;
}

const countingTypes = ['int2', 'int4', 'int8', 'numeric', 'timestamptz', 'timestamp', 'date'];

/** A random key says nothing about which row came first; where the table keeps them says more. */
function naturalOrder({ kind, key, columns }: TableShape): readonly string[] {
  const counts = key.every((name) =>
    countingTypes.includes(columns.find((column) => column.name === name)?.type ?? ''),
  );
  if (key.length > 0 && counts) return key.map(quoteName);
  return kind === 'table' ? ['tableoid', 'ctid'] : [];
}
