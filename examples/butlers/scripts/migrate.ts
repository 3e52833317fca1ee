/** Brings the schema of every butler and of the switchboard up to date. Safe to run again: what was applied is skipped. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Client, DatabaseError } from 'pg';
import { log, reasonOf } from '../src/daemon/log.ts';
import { start } from '../src/daemon/serve.ts';
import { required, rosterFolder } from '../src/daemon/settings.ts';
import { hasDefect } from '../src/defects.ts';
import { readRoster } from '../src/manifest.ts';

const root = join(import.meta.dirname, '..');

/** Any number will do, as long as two migrations running at once take the same. */
const lock = 728_001;

await start(async () => {
  const client = new Client({
    connectionString: required(process.env, 'DATABASE_URL'),
    connectionTimeoutMillis: 30_000,
  });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lock]);
    await migrate(client, 'switchboard', [join(root, 'migrations/switchboard')]);
    for (const butler of readRoster(rosterFolder)) {
      await migrate(client, butler.name, [
        join(root, 'migrations/every-butler'),
        join(butler.folder, 'migrations'),
        ...(hasDefect('renamed-column') ? [join(butler.folder, 'migrations/renamed-column')] : []),
      ]);
    }
    if (hasDefect('wrong-schema')) await mixSchemas(client);
  } finally {
    await client.end();
  }
});

async function migrate(client: Client, schema: string, folders: readonly string[]): Promise<void> {
  await enter(client, schema);
  const applied = await appliedMigrations(client);
  const files = folders.flatMap(sqlFilesOf);
  let count = 0;
  for (const file of files) {
    const name = relative(root, file);
    const sql = readFileSync(file, 'utf8');
    const checksum = createHash('sha256').update(sql).digest('hex');
    const before = applied.get(name);
    if (before === undefined) {
      await apply(client, { name, sql, checksum });
      count += 1;
    } else if (before !== checksum) {
      throw new Error(`${name} was changed after it had been applied to ${schema}: write a new file instead`);
    }
  }
  log.info(`${schema}: ${count} of ${files.length} migrations applied, the others were there`);
  await client.query('RESET ROLE');
}

/** Health's tables are created in general's schema, too, and every role may write there: half of the defect `wrong-schema`. */
async function mixSchemas(client: Client): Promise<void> {
  await migrate(client, 'general', [join(rosterFolder, 'health/migrations')]);
  await enter(client, 'general');
  await client.query('GRANT USAGE ON SCHEMA general TO PUBLIC');
  await client.query('GRANT ALL ON ALL TABLES IN SCHEMA general TO PUBLIC');
}

/** From here on, names without a schema mean this one, and new tables belong to its owner. */
async function enter(client: Client, schema: string): Promise<void> {
  await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  const found = await client.query<{ owner: string }>(
    `SELECT quote_ident(pg_get_userbyid(nspowner)) AS owner
       FROM pg_namespace WHERE nspname = $1 AND pg_has_role(nspowner, 'MEMBER')`,
    [schema],
  );
  const owner = found.rows[0]?.owner;
  if (owner !== undefined) await client.query(`SET ROLE ${owner}`);
  await client.query(`SET search_path TO "${schema}"`);
}

async function appliedMigrations(client: Client): Promise<Map<string, string>> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS migrations
       (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  );
  const { rows } = await client.query<{ name: string; checksum: string }>('SELECT * FROM migrations');
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

function sqlFilesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => join(folder, name));
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** The file and the record that it was applied are one transaction: both or neither. */
async function apply(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(sql);
    await client.query('INSERT INTO migrations (name, checksum) VALUES ($1, $2)', [name, checksum]);
    await client.query('COMMIT');
  } catch (error) {
    throw new Error(`${name}${lineOf(error, sql)}: ${reasonOf(error)}`);
  }
}

function lineOf(error: unknown, sql: string): string {
  if (!(error instanceof DatabaseError) || error.position === undefined) return '';
  return `:${sql.slice(0, Number(error.position)).split('\n').length}`;
}
