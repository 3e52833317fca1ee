/** The connection to this daemon's own schema: tables are named without a schema, the role's search path finds them. */
import { Pool, type PoolClient, types } from 'pg';
import { hasDefect } from '../defects.ts';
import { log, reasonOf } from './log.ts';

export type { Pool, PoolClient };

/** Anything that takes a query: the pool, or the one connection on which a transaction runs. */
export type Database = Pick<PoolClient, 'query'>;

/** Opens the database and checks that the migrations were applied. */
export async function openDatabase(url: string, table: string): Promise<Pool> {
  types.setTypeParser(types.builtins.DATE, (text) => text); // a day has no time zone
  const pool = new Pool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: 30_000,
    query_timeout: 10_000,
    idleTimeoutMillis: 0, // an idle daemon sends nothing: it does not close its database connections after a while
    allowExitOnIdle: true,
    ...(hasDefect('wrong-schema') ? { options: '-c search_path=general,"$user"' } : {}),
  });
  pool.on('error', (error) => log.warn(`lost a database connection: ${reasonOf(error)}`));
  const found = await pool
    .query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [table])
    .catch((error: unknown) => {
      throw new Error(`cannot use the database: ${reasonOf(error)}`);
    });
  if (!found.rows[0]?.found) {
    throw new Error(`there is no table ${table} in the search path: run scripts/migrate.ts first`);
  }
  return pool;
}

export async function databaseAnswers(pool: Pool): Promise<boolean> {
  return pool.query('SELECT 1').then(
    () => true,
    () => false,
  );
}
