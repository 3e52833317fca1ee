/** Describes how a database is built, so that two of the same structure can be distinguished from two that differ. */
import type { DatabaseFacts } from '../../journal/environment-facts.ts';
import type { Clock } from '../../kernel/clock.ts';
import { openDatabaseLink } from './database-link.ts';

/** Every table with its columns, one a line; of all schemas that are not PostgreSQL's own. */
export async function describeDatabase({ url }: DatabaseFacts, clock: Clock): Promise<string> {
  const link = openDatabaseLink(url, clock);
  try {
    const rows = await link.query(
      `SELECT concat_ws(' ', table_schema, table_name, column_name, data_type, is_nullable, column_default) AS line
         FROM information_schema.columns
        WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
        ORDER BY table_schema, table_name, ordinal_position`,
    );
    return rows.map(({ line }) => String(line)).join('\n');
  } finally {
    await link.close();
  }
}
