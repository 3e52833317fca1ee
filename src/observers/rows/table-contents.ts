/** Records the contents of every table of every service, for later comparison. */
import type { DatabaseFacts } from '../../journal/environment-facts.ts';
import { observerLimits } from '../observer-limits.ts';
import type { Database } from './database/database.ts';
import { QueryRefused, TookTooLong } from './database/refusals.ts';
import { type DatabaseLinks, databaseKey } from './database-links.ts';
import { belongsTo, fullName } from './find-tables.ts';
import type { TableShape } from './table-catalogue.ts';

export interface TableContents {
  /** Null for what is shared. */
  readonly service: string | null;
  /** As a check names it after the service. */
  readonly table: string;
  readonly shape: TableShape;
  readonly content: Content;
}

export type Content =
  /** The JSON of each row, as the database prints it. */
  | { readonly kind: 'rows'; readonly texts: readonly string[] }
  /** Too many to be kept: their number, and a sum of hashes that does not depend on their order. */
  | { readonly kind: 'sum'; readonly count: string; readonly hash: string }
  | { readonly kind: 'unknown'; readonly because: string };

/** By database, schema and name. */
export type AllTables = ReadonlyMap<string, TableContents>;

export async function readAllTables(
  links: DatabaseLinks,
  places: readonly DatabaseFacts[],
): Promise<AllTables> {
  const waiting = [...Map.groupBy(places, databaseKey).entries()];
  const room = { bytes: observerLimits.baselineBytes };
  const found = new Map<string, TableContents>();
  const readSome = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [key, inIt] = next;
      const tables = await readDatabase(links.to(inIt[0] as DatabaseFacts), inIt, room);
      for (const contents of tables) found.set(`${key} ${fullName(contents.shape)}`, contents);
    }
  };
  await Promise.all(Array.from({ length: observerLimits.databasesAtOnce }, readSome));
  return found;
}

interface Room {
  bytes: number;
}

async function readDatabase(
  database: Database,
  places: readonly DatabaseFacts[],
  room: Room,
): Promise<readonly TableContents[]> {
  const { catalogue } = database;
  catalogue.forget();
  const tables = (await catalogue.tables()).filter(
    ({ kind, isSecondary }) => kind === 'table' && !isSecondary,
  );
  const found: TableContents[] = [];
  for (const shape of tables) {
    const owners = places.filter((place) => belongsTo(shape, place, places));
    const [owner] = owners;
    if (!owner) continue;
    const service = owners.length === 1 ? owner.service : null;
    const isOwn = shape.schema === (owner.schema ?? 'public');
    const content = await readContent(database, shape, room);
    found.push({ service, table: isOwn ? shape.name : fullName(shape), shape, content });
  }
  return found;
}

async function readContent(database: Database, shape: TableShape, room: Room): Promise<Content> {
  try {
    const bytes = Math.min(observerLimits.baselineTableBytes, room.bytes);
    const rows = await database.select({
      shape,
      columns: shape.columns,
      order: [],
      rows: observerLimits.baselineRows,
      bytes,
    });
    if (!rows) return { kind: 'sum', ...(await database.sum(shape)) };
    const texts = rows.map(({ json }) => json);
    for (const text of texts) room.bytes -= text.length;
    return { kind: 'rows', texts };
  } catch (error) {
    if (error instanceof QueryRefused || error instanceof TookTooLong)
      return { kind: 'unknown', because: error.message };
    throw error;
  }
}
