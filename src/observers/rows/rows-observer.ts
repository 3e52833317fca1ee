/** Sees the rows of a service's tables: `rows: health.symptoms`. */
import type { DeclaredFields } from '../../journal/declared-field.ts';
import { quoteName } from '../../resources/postgres/sql-names.ts';
import { suggest } from '../find-service.ts';
import { keepMatching } from '../keep-matching.ts';
import { ObservationError, type Observer, watching } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { spokenKeys } from '../spoken-keys.ts';
import { compareInSql } from './compare-in-sql.ts';
import { QueryRefused } from './database/refusals.ts';
import { openDatabaseLinks } from './database-links.ts';
import { declaredColumns } from './declared-columns.ts';
import { findPlaces, isWildcard } from './find-places.ts';
import { type FoundTable, findTable, fullName } from './find-tables.ts';
import { type LookingEverywhere, lookEverywhere } from './look-everywhere.ts';
import { type Row, readRow } from './read-row.ts';
import type { TableShape } from './table-catalogue.ts';

export interface RowsQuery {
  /** A service, a shared resource, `*` for all, `!health` for all others. */
  readonly service: string;
  /** `symptoms`, `schema.symptoms`, or `*` for all. */
  readonly table: string;
  readonly where?: unknown;
  readonly columns?: readonly string[];
  /** `logged_at`, or `severity desc, id`. */
  readonly orderBy?: string;
}

export const rowsObserver: Observer<RowsQuery> = {
  name: 'rows',
  open: async ({ clock, signal, facts }) => {
    const links = openDatabaseLinks(clock, signal);
    const look = async (query: RowsQuery): Promise<readonly unknown[]> => {
      const known = await facts();
      const places = findPlaces(known, query.service);
      if (isOfSeveral(query))
        return lookEverywhere({ links, clock, signal, places, all: known.databases }, query);
      return lookAtTable({ links, clock, signal }, await findTable(links, places, query.table), query);
    };
    const declared = async (query: RowsQuery): Promise<DeclaredFields | undefined> => {
      if (isOfSeveral(query)) return undefined;
      const { shape } = await findTable(links, findPlaces(await facts(), query.service), query.table);
      return declaredColumns(shape);
    };
    return { ...watching({ signal }, look, links.close), declared };
  },
};

function isOfSeveral({ service, table }: RowsQuery): boolean {
  return isWildcard(service) || table === '*';
}

type Looking = Pick<LookingEverywhere, 'links' | 'clock' | 'signal'>;

async function lookAtTable(looking: Looking, table: FoundTable, query: RowsQuery): Promise<readonly Row[]> {
  try {
    return await readTable(looking, table, query);
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error;
    // The table may have changed since its columns were asked for.
    const { catalogue } = table.database;
    catalogue.forget();
    const again = await findTable(looking.links, [table.place], fullName(table.shape));
    return await readTable(looking, again, query).catch((second: unknown) => {
      throw second instanceof QueryRefused
        ? new ObservationError(`${fullName(table.shape)}: ${second.message}`)
        : second;
    });
  }
}

async function readTable(
  { clock, signal }: Looking,
  { database, shape }: FoundTable,
  { where, columns, orderBy }: RowsQuery,
): Promise<readonly Row[]> {
  checkColumns(shape, columns ?? [], 'columns');
  checkColumns(shape, spokenKeys(where), 'where');
  const { condition, spelt } = await compareInSql(database, where, shape);
  const seen = await database.select({
    shape,
    // What the condition looks at must be there while it is matched against the row.
    columns: shape.columns,
    condition,
    ...(orderBy === undefined ? {} : { order: orderText(shape, orderBy) }),
    rows: observerLimits.elements,
    bytes: observerLimits.rowsBytes,
  });
  if (!seen) throw tooMuch(shape);
  const rows = new Map(seen.map(({ json, same }) => [readRow(json, shape.columns), same]));
  const kept = await keepMatching(clock, signal, where, [...rows.keys()], (row) =>
    spelt(row, rows.get(row) ?? []),
  );
  return columns ? kept.map((row) => pick(row, columns)) : kept;
}

function tooMuch(shape: TableShape): ObservationError {
  const { elements: rows, rowsBytes } = observerLimits;
  const bound = `${rows} rows or ${rowsBytes / 1024 ** 2} MB`;
  return new ObservationError(`${fullName(shape)} gives more than ${bound}; narrow it with where`);
}

function pick(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((name) => [name, row[name]]));
}

/** A misspelt column would otherwise match nothing, which looks just like "there is no such row". */
function checkColumns(shape: TableShape, wanted: readonly string[], key: string): void {
  const names = shape.columns.map(({ name }) => name);
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const advice = suggest(unknown, names, 'its columns are');
  throw new ObservationError(`\`${key}\`: ${fullName(shape)} has no column ${unknown}; ${advice}`);
}

function orderText(shape: TableShape, orderBy: string): readonly string[] {
  const parts = orderBy.split(',').map((part) => {
    const [, name = part.trim(), direction = 'asc'] = /^\s*(.+?)(?:\s+(asc|desc))?\s*$/i.exec(part) ?? [];
    return { name, direction };
  });
  checkColumns(
    shape,
    parts.map(({ name }) => name),
    'orderBy',
  );
  return parts.map(({ name, direction }) => `${quoteName(name)} ${direction.toUpperCase()}`);
}
