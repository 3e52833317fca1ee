import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startUsersServer, type UsersServer } from '../../../test/conformance/postgres-variants.ts';
import { needs } from '../../../test/harness/needs.ts';
import { shownCall as shown, tapOn, tappedClient } from '../../../test/harness/tapped-store.ts';
import { makeTemporaryFolder } from '../../../test/harness/temporary-folder.ts';
import type { CallEvent } from '../../journal/call-event.ts';
import { systemClock } from '../../kernel/clock.ts';
import { openTap } from '../open-tap.ts';

let server: UsersServer;
beforeAll(async () => {
  server = await startUsersServer();
});
afterAll(() => server.close());

const clientOn = (more: object = {}) => tappedClient(server, more);

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
    { method: 'BEGIN', statement: 'begin' },
    { method: 'UPDATE', result: { command: 'UPDATE 1' } },
    { method: 'SELECT', result: { command: 'SELECT 1', rows: [{ id: 7, name: null }] } },
    { method: 'ROLLBACK', statement: 'rollback' },
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
  socket.write('good day\n');
  const [heard] = await once(socket, 'data');
  expect(String(heard)).toBe('good day\n');
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

test('what passes later on a connection that is not read is named again, in the attempt in which it passes', async () => {
  const echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(
    0,
    '127.0.0.1',
  );
  await once(echo, 'listening');
  onTestFinished(() => void echo.close());
  const { tap, calls } = await tapOn((echo.address() as AddressInfo).port);
  const socket = connect(tap.port, '127.0.0.1');
  onTestFinished(() => void socket.on('error', () => undefined).destroy());
  const say = async (): Promise<void> => {
    socket.write('hello\n');
    await once(socket, 'data');
  };
  await say();
  const [first] = calls;
  expect(first).toMatchObject({ incomplete: 'not-http' });
  await say();
  const [later] = tap.callsInFlight();
  expect(later).toMatchObject({ incomplete: 'not-http', connection: first?.connection });
  expect(later?.startedAt).toBeGreaterThan(first?.startedAt ?? Number.NaN);
  socket.destroy();
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  expect(calls[1]).toEqual(expect.objectContaining({ incomplete: 'not-http' }));
});

test('what cannot be read passes on, and its connection is named', async () => {
  const echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket)).listen(
    0,
    '127.0.0.1',
  );
  await once(echo, 'listening');
  onTestFinished(() => void echo.close());
  const unread: string[] = [];
  const tap = await openTap({
    from: 'worker',
    to: 'store',
    target: () => ({ host: '127.0.0.1', port: (echo.address() as AddressInfo).port }),
    emit: (event) => {
      if (event.type === 'call' && event.method === 'PING') throw new RangeError('too far');
      if (event.type === 'call') unread.push(event.path);
    },
    clock: systemClock,
    watch: 'store',
  });
  onTestFinished(() => tap.close());
  const socket = connect(tap.port, '127.0.0.1');
  onTestFinished(() => void socket.on('error', () => undefined).destroy());
  for (let round = 0; round < 2; round += 1) {
    socket.write('*1\r\n$4\r\nPING\r\n');
    expect(String((await once(socket, 'data'))[0])).toBe('*1\r\n$4\r\nPING\r\n');
  }
  expect(unread).toEqual(['could not be read: RangeError: too far']);
});

test('commands to Redis are calls, and a read that waits is idle', async () => {
  const port = await startRedis();
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

test('commands of a transaction end with what EXEC answers, and without EXEC with no success', async () => {
  const port = await startRedis();
  const { tap, calls } = await tapOn(port);
  const talk = async (...lines: readonly string[]): Promise<Socket> => {
    const socket = connect(tap.port, '127.0.0.1');
    onTestFinished(() => void socket.on('error', () => undefined).destroy());
    const sent = lines.map((line) => {
      const words = line.split(' ').map((word) => `$${word.length}\r\n${word}\r\n`);
      return `*${words.length}\r\n${words.join('')}`;
    });
    socket.write(sent.join(''));
    await once(socket, 'data');
    return socket;
  };
  await talk('SET k abc', 'MULTI', 'INCRBY k 1', 'SET paid 1', 'EXEC');
  await talk('WATCH k', 'SET k def', 'MULTI', 'GET k', 'EXEC');
  await talk('MULTI', 'GET a', 'DISCARD', 'MULTI', 'GET b', 'NOPE', 'EXEC', 'MULTI', 'GET c', 'RESET');
  await vi.waitFor(() => expect(calls).toHaveLength(20));
  const message = 'ERR value is not an integer or out of range';
  const left = (why: RegExp) => ({ error: { message: expect.stringMatching(why) } });
  const byStatement = new Map(calls.map((call) => [call.statement, shown(call)]));
  expect(byStatement.get('INCRBY k 1')).toMatchObject({ error: { message } });
  expect(byStatement.get('SET paid 1')).toMatchObject({ result: 'OK' });
  expect(byStatement.get('GET k')).toMatchObject(left(/^not executed: a watched key/));
  expect(byStatement.get('GET a')).toMatchObject(left(/^not executed: the transaction was discarded/));
  expect(byStatement.get('GET b')).toMatchObject(left(/^not executed: EXECABORT/));
  expect(byStatement.get('GET c')).toMatchObject(left(/^not executed: the transaction was discarded/));
  const [partly] = calls.filter(({ method }) => method === 'EXEC');
  expect(partly).toMatchObject({
    result: [{ error: message }, 'OK'],
    error: { message: `${message} (1 of 2 commands failed)` },
  });
  const open = await talk('MULTI', 'GET d');
  await vi.waitFor(() => expect(calls).toHaveLength(21));
  await vi.waitFor(() => expect(tap.stats()).toMatchObject({ callsInFlight: 0 }));
  open.destroy();
  await vi.waitFor(() => expect(calls).toHaveLength(22));
  expect(calls.at(-1)).toMatchObject({ statement: 'GET d', incomplete: 'cut' });
  expect(calls.at(-1)).not.toHaveProperty('response');
});

test.each(['redis', 'store', 'perhaps-store'] as const)(
  'commands as a person types them are read: %s',
  async (watch) => {
    const { tap, calls } = await tapOn(await startRedis(), watch);
    const socket = connect(tap.port, '127.0.0.1');
    onTestFinished(() => void socket.on('error', () => undefined).destroy());
    const answers: Buffer[] = [];
    socket.on('data', (bytes) => answers.push(bytes));
    // In pieces, too.
    socket.write(watch === 'redis' ? 'SE' : 'PI');
    await systemClock.sleep(20);
    socket.write(watch === 'redis' ? 'T k "a b"\r\n' : 'NG\r\n');
    socket.write("GET k\r\nECHO 'it\\'s \\x41' \r\nNOPE\r\nECHO \"\\x41\\t\"\r\nQUIT\r\n");
    await vi.waitFor(() => expect(calls).toHaveLength(6));
    const results = calls.map(({ result, error }) => error ?? result);
    expect(results.slice(1)).toMatchObject([
      watch === 'redis' ? 'a b' : null,
      "it's \\x41",
      { message: expect.stringContaining('unknown command') },
      'A\t',
      'OK',
    ]);
    expect(calls.map(({ params }) => params).slice(2, 5)).toEqual([["it's \\x41"], [], ['A\t']]);
  },
);

test('what other protocols begin with is no command where Redis was not announced', async () => {
  const { tap, calls } = await tapOn(await startRedis(), 'perhaps-store');
  for (const said of ['GET / HTTP/1.1\r\n', 'get k\r\n', 'set k 0 0 1\r\n', `PING${'G'.repeat(600)}`]) {
    const socket = connect(tap.port, '127.0.0.1');
    onTestFinished(() => void socket.on('error', () => undefined).destroy());
    socket.end(said);
    await once(socket.resume(), 'close');
  }
  expect(calls).toEqual([]);
});

/** Gives its port. */
async function startRedis(): Promise<number> {
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
  return port;
}
