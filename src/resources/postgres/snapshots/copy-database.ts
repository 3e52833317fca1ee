/** Makes a database as the copy of another, with all that belongs to it. */
import type { Client } from 'pg';
import type { Clock } from '../../../kernel/clock.ts';
import { waitFor } from '../../../kernel/deadline.ts';
import { limits } from '../../../kernel/limits.ts';
import { quoteName } from '../sql-names.ts';
import { readTraits, traitStatements } from './database-traits.ts';

export interface CopyOptions {
  /** Added to `CREATE DATABASE`. */
  readonly createWith: string;
  /** False: no client can connect, so that the copy stays as it is. */
  readonly open: boolean;
}

/** No client may be connected to the database that is copied. */
export async function copyDatabase(
  session: Client,
  from: string,
  to: string,
  options: CopyOptions,
): Promise<void> {
  const traits = await readTraits(session, from);
  await session.query(
    `CREATE DATABASE ${quoteName(to)} TEMPLATE ${quoteName(from)} OWNER ${quoteName(traits.owner)} ALLOW_CONNECTIONS ${options.open} ${options.createWith}`,
  );
  const statements = traitStatements(to, traits);
  if (statements.length > 0) await session.query(statements.join(';\n'));
}

/** Terminates open connections, and waits until they are gone: the server itself checks only ten times a second. */
export async function disconnectAll(session: Client, database: string, clock: Clock): Promise<void> {
  const others = 'FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()';
  await waitFor(clock, { withinMs: limits.stopWithinMs, firstMs: 2, mostMs: 25 }, async () => {
    const { rows } = await session.query<{ asked: boolean }>(
      `SELECT pg_terminate_backend(pid) AS asked ${others} AND backend_type = 'client backend'`,
      [database],
    );
    return rows.length === 0 ? true : undefined;
  });
}
