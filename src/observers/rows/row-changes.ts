/** Rows that changed since the attempt began. */
import { type Changes, ObservationError } from '../observer.ts';
import { compareTables } from './compare-tables.ts';
import { openDatabaseLinks } from './database-links.ts';
import { readAllTables } from './table-contents.ts';

export const rowChanges: Changes = {
  kind: 'rows',
  open: async ({ clock, signal, facts }, begin) => {
    const links = openDatabaseLinks(clock, signal);
    // A later query for rows must fail: their state before is unknown.
    const before = await readAllTables(links, begin.databases).catch(
      (error: unknown) => new ObservationError(unknownBegin(error)),
    );
    return {
      look: async () => {
        const { databases } = await facts();
        // Nothing can change where there is nothing, and a check that can never fail is not a check.
        if (databases.length === 0) throw new ObservationError('there is no database in this system');
        if (before instanceof ObservationError) throw before;
        return compareTables(before, await readAllTables(links, databases));
      },
      close: () => links.close(),
    };
  },
};

function unknownBegin(error: unknown): string {
  return `what was in the tables before is not known: ${error instanceof Error ? error.message : String(error)}`;
}
