/** Sees the rows of many tables at once: `rows: "!health.*"`, for what must not appear in another service's data. */
import type { DatabaseFacts } from '../../journal/environment-facts.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { isMatch, keepMatching, refuseBadWhere } from '../keep-matching.ts';
import { ObservationError } from '../observer.ts';
import { refuseUnknownKeys } from '../spoken-keys.ts';
import { isStorable } from './database/where-literals.ts';
import { type DatabaseLinks, databaseKey } from './database-links.ts';
import { belongsTo, type FoundTable, findTables, fullName } from './find-tables.ts';
import { searchingPlainText } from './plain-text.ts';
import type { Row } from './read-row.ts';
import type { RowsQuery } from './rows-observer.ts';
import { type Search, type SearchedRow, searchTables } from './search-tables.ts';

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

/**
 * `where` also sees `text`, the row as PostgreSQL prints it in JSON, and finds in it what the values hold. The views of a
 * place are looked at where none of its tables has such a row: most show again what is in a table, and it would count twice.
 */
export async function lookEverywhere(
  looking: LookingEverywhere,
  query: RowsQuery,
): Promise<readonly RowOfMany[]> {
  if (query.columns !== undefined || query.orderBy !== undefined)
    throw new ObservationError('`columns` and `orderBy` are for one table, not for many');
  refuseUnknownKeys(query.where, ['service', 'table', 'row', 'text'], 'a row of many tables');
  refuseBadWhere(query.where);
  const search = { where: searchingPlainText(query.where), containing: wantedText(query.where) };
  const all = await findOwnTables(looking, query);
  const meant = all.filter(({ shape }) => mayBeMeant(query.where, shape.name));
  const [tables, views] = query.table === '*' ? apart(meant) : [meant, []];
  const inTables = await keep(looking, search, await searchTables(tables, search));
  const hasOne = new Set(inTables.map(({ place }) => place));
  const others = views.filter(({ place }) => !hasOne.has(place));
  const inViews = await searchTables(others, search);
  const kept = inViews.length === 0 ? inTables : await keep(looking, search, [...inTables, ...inViews]);
  return kept.map(({ element: { service, table, row } }) => ({ service, table, row }));
}

type Apart = readonly [tables: readonly FoundTable[], views: readonly FoundTable[]];

function apart(found: readonly FoundTable[]): Apart {
  const isTable = ({ shape }: FoundTable): boolean => shape.kind === 'table';
  return [found.filter(isTable), found.filter((one) => !isTable(one))];
}

async function keep(
  { clock, signal }: LookingEverywhere,
  { where }: Search,
  rows: readonly SearchedRow[],
): Promise<readonly SearchedRow[]> {
  const found = new Map(rows.map((row) => [row.element, row]));
  const kept = await keepMatching(clock, signal, where, [...found.keys()], (element) =>
    found.get(element)?.spelt(),
  );
  return kept.map((element) => found.get(element) as SearchedRow);
}

/** A condition on the name of the table needs no rows of the others. */
function mayBeMeant(where: unknown, table: string): boolean {
  if (!isPlainMap(where) || where.table === undefined) return true;
  try {
    return isMatch(where.table, table);
  } catch (error) {
    if (error instanceof ObservationError) return true; // for the row to decide
    throw error;
  }
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

/** `{ text: { $contains: x } }` is decided by the database, so that large tables can be searched, too. */
function wantedText(where: unknown): string | undefined {
  const part = isPlainMap(where) && isPlainMap(where.text) ? where.text.$contains : undefined;
  return typeof part === 'string' && isStorable(part) ? part : undefined;
}
