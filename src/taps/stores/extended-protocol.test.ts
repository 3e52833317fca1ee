/** What a real PostgreSQL answers to messages that drivers send in a row, or that go wrong. */
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startUsersServer, type UsersServer } from '../../../test/conformance/postgres-variants.ts';
import {
  bind,
  execute,
  frame,
  int16,
  parse,
  query,
  sync,
  text,
} from '../../../test/harness/postgres-wire.ts';
import { shownCall as shown, tappedClient } from '../../../test/harness/tapped-store.ts';

let server: UsersServer;
beforeAll(async () => {
  server = await startUsersServer();
});
afterAll(() => server.close());

/** Each turn is sent when the one before it is answered; the last statement is always `select 'last'`. */
async function seenIn(...turns: readonly (readonly Buffer[])[]) {
  const { client, calls, tap } = await tappedClient(server);
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('data');
  let answers = 0;
  stream.on('data', () => {
    answers += 1;
  });
  for (const turn of turns) {
    answers = 0;
    stream.write(Buffer.concat(turn));
    await vi.waitUntil(() => answers > 0, { timeout: 5_000 });
  }
  stream.write(query("select 'last'"));
  await vi.waitUntil(() => calls.at(-1)?.statement === "select 'last'", { timeout: 5_000 });
  expect(tap.stats().callsInFlight).toBe(0);
  return calls.slice(0, -1).map(shown);
}

const copy = [parse('', 'copy t from stdin'), bind(''), execute, sync];
const table = [query('create temp table t (i int)')];
const data = (line: string): Buffer => frame('d', Buffer.from(`${line}\n`));

test('what is sent after an error, and before the sync, is skipped', async () => {
  const flush = frame('H');
  const failed = [parse('', 'select 1 / 0'), bind(''), execute, flush];
  expect(await seenIn(failed, [parse('x', 'select 2'), bind('x'), execute, sync])).toMatchObject([
    { statement: 'select 1 / 0', error: { code: '22012' } },
    { statement: 'select 2', error: { message: expect.stringContaining('skipped') } },
  ]);
});

test('a sync is ignored while data is expected, as when libpq copies with parameters', async () => {
  const ended = [frame('c'), sync];
  expect(await seenIn(table, copy, [data('1'), ...ended])).toMatchObject([
    {},
    { statement: 'copy t from stdin', result: { command: 'COPY 1', copied: { bytes: 2 } } },
  ]);
  expect(await seenIn(table, copy, [data('x')], ended)).toMatchObject([{}, { error: { code: '22P02' } }]);
});

test('a name that is taken keeps its statement', async () => {
  const again = [parse('s', 'delete from pg_class'), sync];
  expect(await seenIn([parse('s', 'select 1'), sync], again, [bind('s'), execute, sync])).toMatchObject([
    { statement: 'delete from pg_class', error: { code: '42P05' } },
    { statement: 'select 1', result: { command: 'SELECT 1' } },
  ]);
});

test('dates that JavaScript does not have are marked', async () => {
  const binary = frame('B', text(''), text(''), int16(0, 0, 1, 1));
  const statement = "select date '5874897-12-31' as far, timestamp '294276-12-31' as late";
  const [call] = await seenIn([parse('', statement), binary, frame('D', Buffer.from('P\0')), execute, sync]);
  expect(call).toMatchObject({
    result: { rows: [{ far: { $dropped: {} }, late: { $dropped: {} } }] },
  });
});
