/** The connections of one attempt: one for each database, shared by all queries. */
import type { DatabaseFacts } from '../../journal/environment-facts.ts';
import type { Clock } from '../../kernel/clock.ts';
import { sqliteFile } from '../../resources/sqlite/sqlite-url.ts';
import type { Database } from './database/database.ts';
import { openPostgres } from './postgres-database.ts';
import { openSqlite } from './sqlite/sqlite-database.ts';

export function openDatabaseLinks(clock: Clock, signal: AbortSignal) {
  const databases = new Map<string, Database>();
  const close = async (): Promise<void> => {
    signal.removeEventListener('abort', close);
    await Promise.all([...databases.values()].map((database) => database.close()));
  };
  // A statement that runs ends with its connection, so that nothing waits for an answer that is no longer needed.
  signal.addEventListener('abort', close);
  return {
    to: (place: DatabaseFacts): Database => {
      const key = databaseKey(place);
      const known = databases.get(key);
      if (known) return known;
      const database = openDatabase(place, clock);
      databases.set(key, database);
      return database;
    },
    close,
  };
}

export type DatabaseLinks = ReturnType<typeof openDatabaseLinks>;

/** To be closed. */
export function openDatabase({ url }: DatabaseFacts, clock: Clock): Database {
  const file = sqliteFile(url);
  return file === undefined ? openPostgres(url, clock) : openSqlite(file, clock);
}

/** The same for every role that comes to one database. */
export function databaseKey({ url }: DatabaseFacts): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
