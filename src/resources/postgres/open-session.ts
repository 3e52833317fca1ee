/** Opens one connection to a PostgreSQL server, bounded in time. */
import type { Client, ClientConfig } from 'pg';
import { limits } from '../../kernel/limits.ts';

export async function openSession(config: ClientConfig): Promise<Client> {
  const { Client } = await import('pg'); // not before somebody has a database
  const client = new Client({
    application_name: 'shakedown',
    connectionTimeoutMillis: limits.readinessProbeMs,
    query_timeout: limits.readyWithinMs,
    ...config,
  });
  // Without a listener, a server that goes away under an idle connection would end our own process; queries still reject.
  client.on('error', () => {});
  await client.connect();
  return client;
}
