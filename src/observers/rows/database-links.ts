/** The connections of one attempt: one for each database, shared by all queries. */
import type { DatabaseFacts } from '../../journal/environment-facts.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type DatabaseLink, openDatabaseLink } from './database-link.ts';
import { type Catalogue, openCatalogue } from './table-catalogue.ts';

export interface Database {
  readonly link: DatabaseLink;
  readonly catalogue: Catalogue;
}

export function openDatabaseLinks(clock: Clock, signal: AbortSignal) {
  const databases = new Map<string, Database>();
  const close = async (): Promise<void> => {
    signal.removeEventListener('abort', close);
    await Promise.all([...databases.values()].map(({ link }) => link.close()));
  };
  // A statement that runs ends with its connection, so that nothing waits for an answer that is no longer needed.
  signal.addEventListener('abort', close);
  return {
    to: (place: DatabaseFacts): Database => {
      const key = databaseKey(place);
      const known = databases.get(key);
      if (known) return known;
      const link = openDatabaseLink(place.url, clock);
      const database = { link, catalogue: openCatalogue(link) };
      databases.set(key, database);
      return database;
    },
    close,
  };
}

export type DatabaseLinks = ReturnType<typeof openDatabaseLinks>;

/** The same for every role that comes to one database. */
export function databaseKey({ url }: DatabaseFacts): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
