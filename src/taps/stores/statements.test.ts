/** What a real PostgreSQL answers to several statements at once, and in batches. */
import { once } from 'node:events';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startUsersServer, type UsersServer } from '../../../test/conformance/postgres-variants.ts';
import { shownCall as shown, tappedClient } from '../../../test/harness/tapped-store.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import { systemClock } from '../../kernel/clock.ts';

let server: UsersServer;
beforeAll(async () => {
  server = await startUsersServer();
});
afterAll(() => server.close());

test('each statement of a query is a call, whatever it is written with', async () => {
  const { client, calls } = await tappedClient(server);
  const statements = [
    'create temp table t (id int)',
    'create temp table log (id int)',
    'create rule nothing as on delete to t do instead nothing',
    'create rule twice as on update to t do also (insert into log values (1); insert into log values (2))',
    'create rule reads as on insert to log do also select id from t',
    'insert into t values (1)',
    'delete from t',
    'update t set id = 2',
    'insert into log values (3)',
    "select ';', ';'';' as \"a;\"\"b\"",
    String.raw`select '\', e'\';' as c`,
    "select e'a'\n  '\\';' as d",
    'select $$;$$, $a$ $$; $a$ as e',
    '/* ; /* ; */ ; */ select 1 -- ;',
    '-- ; \n (select 2)',
    "do $$ begin perform ';'; end $$",
    'create function pg_temp.f() returns int language sql begin atomic select case when true then 1 end; select 2; end',
    'prepare p as insert into t values (7)',
    'execute p',
    'with d as (insert into t values (8) returning id) select id from d',
    'explain (costs off) select 1',
    'values (1)',
    'begin',
    'commit',
  ];
  await client.query(statements.map((one) => `${one}\n;`).join(';'));
  expect(calls.map(({ statement }) => statement)).toEqual(statements.map((one) => one.trim()));
  const seen = calls.map(shown);
  expect(seen.filter(({ error }) => error !== undefined)).toEqual([]);
  expect(seen[6]).toMatchObject({ method: 'DELETE', result: { command: 'DELETE 0' } });
  expect(seen[7]).toMatchObject({ method: 'UPDATE', result: { command: 'UPDATE 1' } });
  expect(seen[18]).toMatchObject({ method: 'INSERT', result: { command: 'INSERT 0 1' } });
  expect(seen[19]).toMatchObject({ method: 'INSERT', result: { command: 'SELECT 1', rows: [{ id: 8 }] } });
  // They ran one after the other.
  for (const [index, { startedAt }] of calls.slice(1).entries())
    expect(startedAt).toBeGreaterThanOrEqual((calls[index] as CallEvent).endedAt);
});

test('in a block that failed, each statement has its error, and COMMIT says that it rolled back', async () => {
  const { client, calls } = await tappedClient(server);
  await client.query('create temp table t (id int unique deferrable initially deferred)');
  await client.query('begin');
  await client.query('insert into t values (1)');
  await expect(client.query('select 1 / 0')).rejects.toThrow('division');
  await expect(client.query('insert into t values ($1)', [2])).rejects.toThrow('aborted');
  await client.query('commit');
  await client.query('begin');
  await client.query('insert into t values (3), (3)');
  await expect(client.query('commit')).rejects.toThrow('duplicate');
  expect(calls.slice(2).map(shown)).toMatchObject([
    { method: 'INSERT', result: { command: 'INSERT 0 1' } },
    { method: 'SELECT', error: { code: '22012' } },
    { method: 'INSERT', error: { code: '25P02' } },
    { method: 'COMMIT', result: { command: 'ROLLBACK' } },
    { method: 'BEGIN' },
    { method: 'INSERT', result: { command: 'INSERT 0 2' } },
    { method: 'COMMIT', error: { code: '23505' } },
  ]);
});

test('what follows a failed statement was not executed, and what is written after it is read', async () => {
  const { client, calls } = await tappedClient(server);
  await expect(client.query('select 1; select 1 / 0; select 3')).rejects.toThrow('division');
  await expect(client.query('select 1; selekt 2')).rejects.toThrow('syntax');
  await client.query('set standard_conforming_strings = off');
  await client.query(String.raw`select '\'; delete from nowhere'; select 5`);
  await client.query('');
  expect(calls.map(shown)).toMatchObject([
    { statement: 'select 1', result: { count: 1 } },
    { statement: 'select 1 / 0', error: { code: '22012' } },
    { statement: 'select 3', error: { message: expect.stringContaining('not executed') } },
    { statement: 'select 1', error: { code: '42601' } },
    { statement: 'selekt 2', error: { message: expect.stringContaining('not executed') } },
    { method: 'SET' },
    { method: 'SELECT', result: { count: 1 } },
    { method: 'SELECT', statement: 'select 5' },
    { method: '?', statement: '' },
  ]);
});

/** As JDBC with a fetch size, or a cursor of a driver, reads. */
async function readBatch(client: Client, rows: number, isFirst: boolean): Promise<void> {
  const { connection } = client as unknown as { connection: Wire };
  if (isFirst) {
    connection.parse({ text: 'select i from generate_series(1, 5) i', name: '', types: [] });
    connection.bind({ portal: 'c', statement: '', values: [] });
    connection.describe({ type: 'P', name: 'c' });
  }
  connection.execute({ portal: 'c', rows });
  connection.sync();
  await once(connection, 'readyForQuery');
}

interface Wire extends NodeJS.EventEmitter {
  parse(of: object): void;
  bind(of: object): void;
  describe(of: object): void;
  execute(of: object): void;
  close(of: object): void;
  sync(): void;
}

const mute = (client: Client): void => {
  const { connection } = client as unknown as { connection: Wire };
  for (const event of [
    'parseComplete',
    'readyForQuery',
    'rowDescription',
    'dataRow',
    'portalSuspended',
    'commandComplete',
  ])
    connection.removeAllListeners(event);
};

test('what is read in batches is one call; between them, nothing is in progress', async () => {
  const { client, calls, tap } = await tappedClient(server);
  await client.query('begin');
  mute(client);
  await readBatch(client, 2, true);
  expect(tap.stats().callsInFlight).toBe(0);
  expect(calls).toHaveLength(1);
  expect(tap.callsInFlight().map(shown)).toMatchObject([
    { method: 'SELECT', result: { count: 2, suspended: true } },
  ]);
  await readBatch(client, 2, false);
  await readBatch(client, 2, false);
  expect(calls.slice(1).map(shown)).toMatchObject([
    {
      method: 'SELECT',
      result: { command: 'SELECT 5', count: 5, rows: [1, 2, 3, 4, 5].map((i) => ({ i })) },
    },
  ]);
  expect(tap.stats().callsInFlight).toBe(0);
});

test('what is read no further ended with its last batch, however late its portal is closed', async () => {
  const { client, calls } = await tappedClient(server);
  await client.query('begin');
  mute(client);
  await readBatch(client, 2, true);
  const readAt = systemClock.monotonic();
  await systemClock.sleep(20);
  const { connection } = client as unknown as { connection: Wire };
  connection.close({ type: 'P', name: 'c' });
  connection.sync();
  await once(connection, 'readyForQuery');
  const [, abandoned] = calls;
  expect(abandoned).toMatchObject({ method: 'SELECT', result: { count: 2, suspended: true } });
  expect(abandoned?.endedAt).toBeLessThanOrEqual(readAt);
});
