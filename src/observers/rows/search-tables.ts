/** Reads the rows of many tables for a condition that need not fit each of them. */
import type { DatabaseFacts } from '../../journal/environment-facts.ts';
import { ObservationError } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { type Comparison, compareInSql } from './compare-in-sql.ts';
import { QueryRefused, TookTooLong } from './database/refusals.ts';
import { type FoundTable, fullName } from './find-tables.ts';
import type { RowOfMany } from './look-everywhere.ts';
import { plainTextOf } from './plain-text.ts';
import { readRow } from './read-row.ts';
import type { SeenRow } from './select-rows.ts';

export interface Search {
  readonly where: unknown;
  /** A text without which no row is meant. */
  readonly containing: string | undefined;
}

export interface SearchedRow {
  readonly place: DatabaseFacts;
  /** What the condition is matched with. */
  readonly element: RowOfMany & { readonly text: string; readonly plain: string };
  /** The condition for this row. */
  spelt(): unknown;
}

export async function searchTables(
  tables: readonly FoundTable[],
  search: Search,
): Promise<readonly SearchedRow[]> {
  const found: SearchedRow[] = [];
  for (const table of tables) {
    const { rows, spelt } = await readTable(table, search, observerLimits.elements - found.length);
    const { shape, place } = table;
    for (const { json: text, same } of rows) {
      const row = readRow(text, shape.columns);
      const element = { service: place.service, table: shape.name, row, text, plain: plainTextOf(text) };
      found.push({ place, element, spelt: () => spelt(row, same) });
    }
  }
  return found;
}

async function readTable(
  { database, shape }: FoundTable,
  { where, containing }: Search,
  rows: number,
): Promise<Pick<Comparison, 'spelt'> & { readonly rows: readonly SeenRow[] }> {
  try {
    const { condition, spelt } = await compareInSql(database, where, shape, true);
    const seen = await database.select({
      shape,
      columns: shape.columns,
      condition,
      ...(containing === undefined ? {} : { containing }),
      rows,
      bytes: observerLimits.rowsBytes,
    });
    if (seen) return { rows: seen, spelt };
  } catch (error) {
    throw unreadable(database, shape, error);
  }
  const bound = `${observerLimits.elements} rows or ${observerLimits.rowsBytes / 1024 ** 2} MB`;
  throw new ObservationError(`these tables give more than ${bound}; narrow it with where: { text: … }`);
}

/** Of a view, whatever is wrong with it. */
function unreadable(
  { catalogue }: FoundTable['database'],
  shape: FoundTable['shape'],
  error: unknown,
): unknown {
  const isView = shape.kind !== 'table';
  const isRefused = error instanceof QueryRefused || error instanceof TookTooLong;
  if (!isRefused && !(isView && error instanceof ObservationError)) return error;
  catalogue.forget();
  const advice = isView ? `; leave it out with where: { table: { $ne: ${shape.name} } }` : '';
  return new ObservationError(`${fullName(shape)}: ${error.message}${advice}`, 'later');
}
