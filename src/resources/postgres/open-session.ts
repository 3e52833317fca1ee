/** Opens one connection to a PostgreSQL server, bounded in time. What it depends on is passed: `pg` would take the rest from PG* variables. */
import type { Client, ClientConfig } from 'pg';
import { limits } from '../../kernel/limits.ts';

type SessionConfig = ClientConfig &
  Required<Pick<ClientConfig, 'host' | 'port' | 'user' | 'database' | 'ssl'>>;

export async function openSession(config: SessionConfig): Promise<Client> {
  // Not before a database is needed, and without the rest of `pg`, in which NODE_PG_FORCE_NATIVE chooses another client.
  // @ts-expect-error: this part has no types of its own
  const { default: Client } = (await import('pg/lib/client.js')) as { default: typeof import('pg').Client };
  const client = new Client({
    application_name: 'shakedown',
    connectionTimeoutMillis: limits.readinessProbeMs,
    query_timeout: limits.readyWithinMs,
    sslnegotiation: 'postgres',
    client_encoding: 'utf8',
    options: ' ', // none: for an empty text `pg` takes PGOPTIONS
    ...config,
  });
  // Without a listener, a server that goes away under an idle connection would end our own process; queries still reject.
  client.on('error', () => {});
  await client.connect();
  return client;
}
