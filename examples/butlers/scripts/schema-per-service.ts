/** Gives every service a schema and a role that sees only that one. Used by `start-by-hand.sh`; Shakedown does it by itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { log } from '../src/daemon/log.ts';
import { start } from '../src/daemon/serve.ts';
import { required } from '../src/daemon/settings.ts';

const tries = 1_000;

await start(async () => {
  const client = await connect(required(process.env, 'DATABASE_URL'));
  for (const name of process.argv.slice(2)) {
    await client.query(
      `CREATE ROLE "${name}" LOGIN; ALTER ROLE "${name}" SET search_path TO "${name}";
       CREATE SCHEMA "${name}" AUTHORIZATION "${name}"`,
    );
  }
  await client.end();
  log.info(`${process.argv.length - 2} schemas made`);
});

/** The server has only just been started: the query is repeated until it answers. */
async function connect(url: string): Promise<Client> {
  let reason: unknown;
  for (let count = 0; count < tries; count += 1) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      reason = error;
      await sleep(10);
    }
  }
  throw reason;
}
