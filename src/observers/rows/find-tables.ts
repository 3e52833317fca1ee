/** Which tables a check means, of all that the databases have. */
import type { DatabaseFacts } from '../../journal/environment-facts.ts';
import { suggest } from '../find-service.ts';
import { ObservationError } from '../observer.ts';
import type { Database } from './database/database.ts';
import { type DatabaseLinks, databaseKey } from './database-links.ts';
import type { TableShape } from './table-catalogue.ts';

export interface FoundTable {
  readonly place: DatabaseFacts;
  readonly database: Database;
  readonly shape: TableShape;
}

/** The one table of this name; what is not found is looked for again in what the database says now. */
export async function findTable(
  links: DatabaseLinks,
  places: readonly DatabaseFacts[],
  wanted: string,
): Promise<FoundTable> {
  const found = await findTables(links, places, wanted);
  const [first, second] = found;
  if (!first) throw await unknownTable(links, places, wanted);
  if (second) {
    const names = found.map(({ place, shape }) => `${place.resource}: ${fullName(shape)}`).join(', ');
    throw new ObservationError(`the table ${wanted} is in several places: ${names}`);
  }
  return first;
}

/** Every table and view that these places have under this name, `*` for all. */
export async function findTables(
  links: DatabaseLinks,
  places: readonly DatabaseFacts[],
  wanted: string,
): Promise<readonly FoundTable[]> {
  const look = async (): Promise<readonly FoundTable[]> =>
    (await Promise.all(places.map((place) => tablesOf(links, place)))).flatMap((tables, index) => {
      const place = places[index] as DatabaseFacts;
      return tables.filter(({ shape }) => isMeant(shape, place, wanted));
    });
  const found = await look();
  if (found.length > 0) return found;
  for (const place of places) links.to(place).catalogue.forget();
  return look();
}

/**
 * The tables of a place: those of its schema, or, where it has none, those of every schema that no other service owns.
 * A table of another schema is reached by its full name.
 */
export function belongsTo(shape: TableShape, place: DatabaseFacts, all: readonly DatabaseFacts[]): boolean {
  if (place.schema !== null) return shape.schema === place.schema;
  const key = databaseKey(place);
  return !all.some((other) => other.schema === shape.schema && databaseKey(other) === key);
}

export function fullName({ schema, name }: TableShape): string {
  return `${schema}.${name}`;
}

async function tablesOf(links: DatabaseLinks, place: DatabaseFacts): Promise<readonly FoundTable[]> {
  const database = links.to(place);
  return (await database.catalogue.tables()).map((shape) => ({ place, database, shape }));
}

function isMeant(shape: TableShape, place: DatabaseFacts, wanted: string): boolean {
  if (wanted === '*') return shape.isFilled && !shape.isSecondary;
  return (shape.name === wanted && shape.schema === (place.schema ?? 'public')) || fullName(shape) === wanted;
}

async function unknownTable(
  links: DatabaseLinks,
  places: readonly DatabaseFacts[],
  wanted: string,
): Promise<ObservationError> {
  const tables = await Promise.all(
    places.map(async (place) =>
      (await tablesOf(links, place)).map(({ shape }) =>
        shape.schema === (place.schema ?? 'public') ? shape.name : fullName(shape),
      ),
    ),
  );
  const names = [...new Set(tables.flat())];
  // Many a service makes its tables when it first needs them.
  return new ObservationError(
    `there is no table ${wanted}; ${suggest(wanted, names, 'the tables are')}`,
    'later',
  );
}
