/** A SQLite database, looked at in a copy of its file. */
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../kernel/clock.ts';
import { observerLimits } from '../../observer-limits.ts';
import type { Database } from '../database/database.ts';
import type { TableShape } from '../table-catalogue.ts';
import { readShapes } from './read-shapes.ts';
import { selectLines, sumLines } from './select-lines.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { explain } from './sqlite-error.ts';
import { openSteadyCopies } from './steady-copies.ts';

export function openSqlite(file: string, clock: Clock): Database {
  const copies = openSteadyCopies(file, clock);
  let last: Promise<unknown> = Promise.resolve();
  const use = <T>(work: (database: DatabaseSync, endsAt: number) => T): Promise<T> => {
    // One at a time, since a look may replace the copy.
    const answer = last.then(async () => {
      const database = await copies.current();
      try {
        return work(database, clock.monotonic() + observerLimits.statementMs);
      } catch (error) {
        throw explain(error);
      }
    });
    last = answer.catch(() => undefined); // whoever asked has heard it
    return answer;
  };
  let known: Promise<readonly TableShape[]> | undefined;
  const tables = (): Promise<readonly TableShape[]> => {
    known ??= use(readShapes).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
  return {
    catalogue: {
      tables,
      forget: () => {
        known = undefined;
      },
    },
    dialect: sqliteDialect,
    select: (selection) =>
      use((database, endsAt) => selectLines(database, selection, () => endsAt < clock.monotonic())),
    sum: (shape) => use((database, endsAt) => sumLines(database, shape, () => endsAt < clock.monotonic())),
    describe: async () =>
      (await tables())
        .flatMap(({ name, columns }) =>
          columns.map((column) => [name, column.name, column.sqlType].join(' ')),
        )
        .join('\n'),
    close: async () => {
      await last;
      await copies.close();
    },
  };
}
