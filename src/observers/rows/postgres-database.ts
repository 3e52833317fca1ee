/** A PostgreSQL database, read over one connection. */
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from './database/database.ts';
import { type DatabaseLink, openDatabaseLink } from './database-link.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { selectRows, tableText } from './select-rows.ts';
import { openCatalogue, readTables, type TableShape } from './table-catalogue.ts';

export function openPostgres(url: string, clock: Clock): Database {
  const link = openDatabaseLink(url, clock);
  return {
    catalogue: openCatalogue(() => readTables(link)),
    dialect: postgresDialect(link),
    select: (selection) => selectRows(link, selection),
    sum: (shape) => readSum(link, shape),
    describe: () => describe(link),
    close: link.close,
  };
}

async function readSum(link: DatabaseLink, shape: TableShape): Promise<{ count: string; hash: string }> {
  const [sum] = await link.query(
    `SELECT count(*)::text AS count, coalesce(sum(hashtextextended(whole::text, 0)::numeric), 0)::text AS hash
     FROM ${tableText(shape)} whole`,
  );
  return { count: String(sum?.count), hash: String(sum?.hash) };
}

/** Of all schemas that are not PostgreSQL's own. */
async function describe(link: DatabaseLink): Promise<string> {
  const rows = await link.query(
    `SELECT concat_ws(' ', table_schema, table_name, column_name, data_type, is_nullable, column_default) AS line
       FROM information_schema.columns
      WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
      ORDER BY table_schema, table_name, ordinal_position`,
  );
  return rows.map(({ line }) => String(line)).join('\n');
}
