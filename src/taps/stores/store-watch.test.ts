import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startUsersServer, type UsersServer } from '../../../test/conformance/postgres-variants.ts';
import { needs } from '../../../test/harness/needs.ts';
import { makeTemporaryFolder } from '../../../test/harness/temporary-folder.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import { systemClock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import { openTap } from '../open-tap.ts';

let server: UsersServer;
beforeAll(async () => {
  server = await startUsersServer();
});
afterAll(() => server.close());

async function tapOn(port: number, watch: 'store' | 'perhaps-store' = 'store') {
  const calls: CallEvent[] = [];
  const tap = await openTap({
    from: 'worker',
    to: 'store',
    target: () => ({ host: '127.0.0.1', port }),
    emit: (event) => void (event.type === 'call' && calls.push(event)),
    clock: systemClock,
    watch,
  });
  onTestFinished(() => tap.close());
  return { tap, calls };
}

async function clientOn(more: object = {}) {
  const url = new URL(server.url);
  const watched = await tapOn(Number(url.port));
  url.port = String(watched.tap.port);
  const client = new Client({ connectionString: url.href, ...more });
  await client.connect();
  onTestFinished(() => client.end());
  return { ...watched, client };
}

const shown = ({ method, statement, params, result, error }: CallEvent) => ({
  method,
  statement,
  ...defined({ params, result, error }),
});

test('each statement of a client is a call, with its parameters, its rows or its error', async () => {
  const { client, calls } = await clientOn();
  await client.query(
    'create temp table t (id int primary key, name text, at timestamptz, doc jsonb, cost numeric)',
  );
  await client.query('insert into t values ($1, $2, $3, $4, $5)', [
    7,
    'Ada',
    '2026-11-17T05:00:00Z',
    { a: [1] },
    '1.50',
  ]);
  await client.query({ name: 'one', text: 'select * from t where id = $1', values: [7] });
  await client.query({ name: 'one', text: 'select * from t where id = $1', values: [8] });
  await expect(client.query('insert into t values ($1)', [7])).rejects.toThrow('duplicate');
  await expect(client.query('selekt 1')).rejects.toThrow('syntax');
  await client.query('begin; update t set name = null; select id, name from t; rollback');
  expect(calls.map(shown)).toMatchObject([
    { method: 'CREATE', result: { command: 'CREATE TABLE' } },
    {
      method: 'INSERT',
      params: ['7', 'Ada', '2026-11-17T05:00:00Z', '{"a":[1]}', '1.50'],
      result: { command: 'INSERT 0 1' },
    },
    {
      method: 'SELECT',
      params: ['7'],
      result: {
        rows: [{ id: 7, name: 'Ada', at: '2026-11-17T05:00:00.000Z', doc: { a: [1] }, cost: 1.5 }],
        count: 1,
      },
    },
    { method: 'SELECT', params: ['8'], result: { rows: [], count: 0 } },
    { method: 'INSERT', error: { code: '23505', constraint: 't_pkey' } },
    { method: 'SELEKT', error: { code: '42601' } },
    {
      method: 'BEGIN',
      result: { command: 'BEGIN; UPDATE 1; SELECT 1; ROLLBACK', rows: [{ id: 7, name: null }] },
    },
  ]);
  expect(calls[0]).toMatchObject({ protocol: 'postgres', path: 'postgres', from: 'worker', to: 'store' });
});

test('binary values are read, notifications are reported, and many rows are counted', async () => {
  const { client, calls } = await clientOn();
  await client.query({ text: 'select 7::int8 as n, true as b, 0.25::float8 as f', binary: true } as never);
  await client.query('listen news');
  await client.query("notify news, 'hello'");
  await client.query('select n from generate_series(1, 5000) n');
  await vi.waitFor(() => expect(calls).toHaveLength(5));
  const [binary, , first, second, many] = calls.map(shown);
  expect(binary?.result).toMatchObject({ rows: [{ n: 7, b: true, f: 0.25 }] });
  expect([first, second]).toContainEqual(
    expect.objectContaining({ method: 'NOTIFICATION', params: ['news', 'hello'] }),
  );
  expect(many?.result).toMatchObject({ count: 5_000 });
  expect(many).toHaveProperty('result.rows.length', 201);
});

test('a connection that speaks neither protocol passes, and is named as unread', async () => {
  const echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(
    0,
    '127.0.0.1',
  );
  await once(echo, 'listening');
  onTestFinished(() => void echo.close());
  const { tap, calls } = await tapOn((echo.address() as AddressInfo).port);
  const socket = connect(tap.port, '127.0.0.1');
  onTestFinished(() => void socket.on('error', () => undefined).destroy());
  socket.write('hello\n');
  const [heard] = await once(socket, 'data');
  expect(String(heard)).toBe('hello\n');
  expect(calls).toMatchObject([{ protocol: 'tcp', method: '?', path: 'neither PostgreSQL nor RESP' }]);
  const other = await tapOn((echo.address() as AddressInfo).port, 'perhaps-store');
  for (const said of ['hello\n', '*1\r\n$4\r\nPING\r\n']) {
    const client = connect(other.tap.port, '127.0.0.1');
    onTestFinished(() => void client.on('error', () => undefined).destroy());
    client.write(said);
    await once(client, 'data');
  }
  // Where no store was announced, one is recognized, and anything else is not worth a word.
  expect(other.calls).toMatchObject([{ protocol: 'resp', method: 'PING' }]);
});

test('commands to Redis are calls, and a read that waits is idle', async () => {
  needs('redis-server');
  const folder = makeTemporaryFolder('redis');
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const redis = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--dir',
    folder.path,
  ]);
  onTestFinished(async () => {
    redis.kill();
    await once(redis, 'exit');
    folder.remove();
  });
  for await (const line of redis.stdout) if (/Ready to accept/.test(String(line))) break;
  const { tap, calls } = await tapOn(port);
  const socket = connect(tap.port, '127.0.0.1');
  onTestFinished(() => void socket.on('error', () => undefined).destroy());
  const answers: Buffer[] = [];
  socket.on('data', (bytes) => answers.push(bytes));
  socket.write('*5\r\n$4\r\nXADD\r\n$4\r\njobs\r\n$1\r\n*\r\n$2\r\nid\r\n$1\r\n7\r\n');
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  expect(shown(calls[0] as CallEvent)).toMatchObject({ method: 'XADD', statement: 'XADD jobs * id 7' });
  const { lastActivityAt } = tap.stats();
  socket.write('*6\r\n$5\r\nXREAD\r\n$5\r\nBLOCK\r\n$2\r\n20\r\n$7\r\nSTREAMS\r\n$4\r\njobs\r\n$1\r\n$\r\n');
  await vi.waitFor(() => expect(Buffer.concat(answers).toString()).toContain('*-1\r\n'));
  expect(tap.stats()).toMatchObject({ lastActivityAt, callsInFlight: 0 });
  expect(calls).toHaveLength(1);
});
