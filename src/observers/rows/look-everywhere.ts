/** Sees the rows of many tables at once: `rows: "!health.*"`, for what must not appear in another service's data. */
import type { DatabaseFacts } from '../../journal/environment-facts.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { keepMatching } from '../keep-matching.ts';
import { ObservationError } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { refuseUnknownKeys } from '../spoken-keys.ts';
import { type Comparison, compareInSql } from './compare-in-sql.ts';
import { QueryRefused } from './database-link.ts';
import { type DatabaseLinks, databaseKey } from './database-links.ts';
import { belongsTo, type FoundTable, findTables, fullName } from './find-tables.ts';
import { type Row, readRow } from './read-row.ts';
import type { RowsQuery } from './rows-observer.ts';
import { type SeenRow, selectRows } from './select-rows.ts';
import { isStorable } from './where-literals.ts';

export interface RowOfMany {
  readonly service: string | null;
  readonly table: string;
  readonly row: Row;
}

export interface LookingEverywhere {
  readonly links: DatabaseLinks;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly places: readonly DatabaseFacts[];
  /** All there are, to know which schema is whose. */
  readonly all: readonly DatabaseFacts[];
}

/** `where` sees `{ service, table, row, text }`, `text` being the row as PostgreSQL prints it in JSON. */
export async function lookEverywhere(
  looking: LookingEverywhere,
  query: RowsQuery,
): Promise<readonly RowOfMany[]> {
  if (query.columns !== undefined || query.orderBy !== undefined)
    throw new ObservationError('`columns` and `orderBy` are for one table, not for many');
  refuseUnknownKeys(query.where, ['service', 'table', 'row', 'text'], 'a row of many tables');
  const tables = (await findOwnTables(looking, query)).filter(({ shape }) =>
    mayBeMeant(query.where, shape.name),
  );
  const seen = new Map<RowOfMany & { readonly text: string }, () => unknown>();
  for (const table of tables) {
    const { rows, spelt } = await readAll(table, query.where, observerLimits.elements - seen.size);
    const { shape, place } = table;
    for (const { json: text, same } of rows) {
      const row = readRow(text, shape.columns);
      seen.set({ service: place.service, table: shape.name, row, text }, () => spelt(row, same));
    }
  }
  const { clock, signal } = looking;
  const kept = await keepMatching(clock, signal, query.where, [...seen.keys()], (one) => seen.get(one)?.());
  return kept.map(({ service, table, row }) => ({ service, table, row }));
}

/** A condition that names one table needs no rows of the others. */
function mayBeMeant(where: unknown, table: string): boolean {
  return !isPlainMap(where) || typeof where.table !== 'string' || where.table === table;
}

async function findOwnTables(
  { links, places, all }: LookingEverywhere,
  { service, table }: RowsQuery,
): Promise<readonly FoundTable[]> {
  // A table that was made a moment ago counts, too.
  for (const place of places) links.to(place).catalogue.forget();
  const found = await findTables(links, places, table);
  const own = new Map<string, FoundTable>();
  for (const one of found) {
    const key = `${databaseKey(one.place)} ${fullName(one.shape)}`;
    // Where several share a database, a table is seen once.
    if (!own.has(key) && (table !== '*' || belongsTo(one.shape, one.place, all))) own.set(key, one);
  }
  if (own.size === 0) throw new ObservationError(`there is no table ${table} in ${service}`, 'later');
  return [...own.values()];
}

async function readAll(
  { database, shape }: FoundTable,
  where: unknown,
  rows: number,
): Promise<Pick<Comparison, 'spelt'> & { readonly rows: readonly SeenRow[] }> {
  const containing = wantedText(where);
  try {
    const { condition, spelt } = await compareInSql(database, where, shape, true);
    const seen = await selectRows(database.link, {
      shape,
      columns: shape.columns,
      condition,
      ...(containing === undefined ? {} : { containing }),
      rows,
      bytes: observerLimits.rowsBytes,
    });
    if (seen) return { rows: seen, spelt };
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error;
    database.catalogue.forget();
    throw new ObservationError(`${fullName(shape)}: ${error.message}`, 'later');
  }
  const bound = `${observerLimits.elements} rows or ${observerLimits.rowsBytes / 1024 ** 2} MB`;
  throw new ObservationError(`these tables give more than ${bound}; narrow it with where: { text: … }`);
}

/** `{ text: { $contains: x } }` is decided by the database, so that large tables can be searched, too. */
function wantedText(where: unknown): string | undefined {
  const part = isPlainMap(where) && isPlainMap(where.text) ? where.text.$contains : undefined;
  return typeof part === 'string' && isStorable(part) ? part : undefined;
}
