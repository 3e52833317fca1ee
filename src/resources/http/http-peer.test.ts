import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { knockAt } from '../../../test/peers/knock-at.ts';
import { type MessengerSetup, openMessengerSetup } from '../../../test/peers/messenger-setup.ts';
import { eventually } from '../../../test/taps/eventually.ts';
import { resourceKinds } from '../../kinds/resource-kinds.ts';

let setup: MessengerSetup;

afterEach(() => setup.close());

test('each consumer has an address of its own, and its requests are recorded under its name', async () => {
  setup = await openMessengerSetup({ standing: [{ on: 'GET /me', answer: { json: { ok: true } } }] });
  expect(
    new Set([
      setup.portOf('channel'),
      setup.portOf('seed'),
      setup.portOf('outside'),
      setup.messenger.endpoint.port,
    ]).size,
  ).toBe(3);
  expect(setup.messenger.endpointFor?.('nobody')).toBeUndefined();
  for (const caller of ['channel', 'seed', 'outside'])
    expect(await setup.ask('/me?x=1', undefined, caller)).toEqual({ status: 200, text: '{"ok":true}' });
  expect(setup.shown()).toEqual(
    ['channel', 'seed', 'outside'].map((caller) => ({
      type: 'peer.called',
      resource: 'messenger',
      caller,
      method: 'GET',
      path: '/me?x=1',
      status: 200,
      line: 1,
      standing: true,
    })),
  );
  expect(setup.messenger.references({ kind: 'service', name: 'channel' }, { host: 'h', port: 5 })).toEqual({
    url: 'http://h:5',
    host: 'h',
    port: '5',
  });
  expect(resourceKinds.http.references).toEqual(['url', 'host', 'port']);
});

test('a request that was packed is unpacked before a line is held against it', async () => {
  setup = await openMessengerSetup({
    standing: [
      { on: 'POST /', where: { json: { to: 'ann' } }, answer: { json: { echo: '${request.json.to}' } } },
      { on: 'POST /', where: { text: 'no gzip' }, answer: { text: 'as it is' } },
    ],
  });
  const send = async (encoding: string, body: Buffer): Promise<string> => {
    const headers = { 'content-encoding': encoding };
    const url = `http://127.0.0.1:${setup.portOf('channel')}/`;
    return (await fetch(url, { method: 'POST', headers, body: Uint8Array.from(body) })).text();
  };
  const json = Buffer.from('{"to":"ann"}');
  expect(await send('gzip', gzipSync(json))).toBe('{"echo":"ann"}');
  expect(await send('zstd', zstdCompressSync(json))).toBe('{"echo":"ann"}');
  expect(await send('utf-8', json)).toBe('{"echo":"ann"}');
  expect(await send('gzip', Buffer.from('no gzip'))).toBe('as it is');
});

test('the first line that fits answers, as often as it may, then the next, then the standing line', async () => {
  setup = await openMessengerSetup({ standing: [{ on: '* /**', answer: { status: 404 } }] });
  await setup.begin(
    { on: 'POST /send', where: { json: { to: 'ann' } }, answer: { text: 'to ann' } },
    {
      on: 'POST /send',
      times: 2,
      answer: { status: 202, json: { id: '${request.json.id}', to: '${request.json.to}!' } },
    },
    {
      on: 'POST /any',
      times: 'any',
      answer: { headers: { 'Content-Type': 'text/x', 'x-a': 'b' }, text: 'any' },
    },
  );
  const send = (to: string) => setup.ask('/send', { to, id: 7 });
  expect((await send('bob')).text).toBe('{"id":7,"to":"bob!"}');
  expect((await send('ann')).text).toBe('to ann');
  expect((await send('ann')).text).toBe('{"id":7,"to":"ann!"}');
  expect((await send('ann')).status).toBe(404);
  for (let i = 0; i < 3; i += 1) expect((await setup.ask('/any', {})).text).toBe('any');
  expect(setup.shown().map(({ line, standing }) => [line, standing])).toEqual([
    [2, undefined],
    [1, undefined],
    [2, undefined],
    [1, true],
    ...Array(3).fill([3, undefined]),
  ]);
  await setup.peer.settle();
  expect(setup.context.emitted.filter(({ type }) => type === 'peer.unused')).toEqual([]);
});

test('forms, queries and headers can be asked for', async () => {
  setup = await openMessengerSetup();
  await setup.begin({
    on: 'POST /form',
    where: { form: { Body: 'a b' }, query: { v: '1' }, headers: { 'x-k': 'y' } },
  });
  const response = await fetch(`http://127.0.0.1:${setup.portOf('channel')}/form?v=1`, {
    method: 'POST',
    headers: { 'x-k': 'y' },
    body: new URLSearchParams({ Body: 'a b' }),
  });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('what is not scripted is answered with 501, which names what was asked and what is declared', async () => {
  setup = await openMessengerSetup({ standing: [{ on: 'GET /health' }] });
  await setup.begin(
    { on: 'POST /send', where: { json: { to: 'ann' } } },
    { on: 'POST /send', where: { json: { to: 'bob' } } },
  );
  await setup.ask('/send', { to: 'bob' });
  const { status, text } = await setup.ask('/send?x=1', { to: 'bob' });
  expect(status).toBe(501);
  expect(JSON.parse(text)).toEqual({
    error: {
      type: 'unscripted',
      message: 'POST /send is not scripted for messenger',
      asked: { method: 'POST', path: '/send', query: { x: '1' }, body: '{ to: "bob" }' },
      declared: [
        'line 1, POST /send where { json: { to: "ann" } }: at $.json.to expected "ann", observed "bob"',
        'line 2, POST /send where { json: { to: "bob" } }: used up',
        'standing line 1, GET /health: another method or path',
      ],
    },
  });
  expect(setup.shown().at(-1)).toMatchObject({
    status: 501,
    fault: {
      kind: 'unscripted',
      what: expect.stringContaining('POST /send is not scripted for messenger; declared: line 1'),
    },
  });
  expect(setup.shown().at(-1)).not.toHaveProperty('line');
});

test('lines that were not used are reported at the end, and a new attempt forgets them', async () => {
  setup = await openMessengerSetup();
  await setup.begin({ on: 'POST /a' }, { on: 'POST /b', times: 3 }, { on: 'POST /c', times: 'any' });
  await setup.ask('/b', {});
  await setup.peer.settle();
  expect(setup.context.emitted.filter(({ type }) => type === 'peer.unused')).toEqual([
    { type: 'peer.unused', resource: 'messenger', caller: '*', line: 1, what: 'answer to POST /a' },
    {
      type: 'peer.unused',
      resource: 'messenger',
      caller: '*',
      line: 2,
      what: 'answer to POST /b, used 1 of 3 times',
    },
  ]);
  expect((await setup.ask('/b', {})).status).toBe(200);
  await setup.peer.begin({ trial: 'u', attempt: 1, seed: 's', script: undefined });
  expect((await setup.ask('/a', {})).status).toBe(501);
});

test('an answer may be late, and does not outlive its attempt', async () => {
  setup = await openMessengerSetup();
  await setup.begin(
    { on: 'GET /late', answer: { afterMs: 5, text: 'late' } },
    { on: 'GET /never', answer: { afterMs: 3_600_000 } },
  );
  expect((await setup.ask('/late')).text).toBe('late');
  const consumer = knockAt(setup.portOf('channel')).send('GET /never HTTP/1.1\r\n\r\n');
  const other = knockAt(setup.portOf('channel')).send('GET /late HTTP/1.1\r\n\r\n');
  await other.sees('501');
  await setup.peer.settle();
  expect(await consumer.over).toBe('fin');
  expect(consumer.text).toBe('');
  expect(setup.shown().at(-1)).toMatchObject({ path: '/never', line: 2, status: 0 });
});

test.each([
  ['close', 'fin'],
  ['reset', 'ECONNRESET'],
  ['hang', undefined],
] as const)('instead of an answer: %s', async (instead, over) => {
  setup = await openMessengerSetup();
  await setup.begin({ on: 'GET /', answer: { instead } });
  const consumer = knockAt(setup.portOf('channel')).send('GET / HTTP/1.1\r\n\r\n');
  await eventually(() => setup.shown().length === 1 && consumer.heard === over);
  expect(setup.shown()).toMatchObject([{ status: 0, line: 1 }]);
  expect(consumer.text).toBe('');
});

test('an answer that needs what the request does not have is a fault of the script', async () => {
  setup = await openMessengerSetup();
  await setup.begin({ on: 'POST /', answer: { json: { id: '${request.json.id}' } } });
  const { status, text } = await setup.ask('/', { no: 'id' });
  expect([status, JSON.parse(text).error.message]).toEqual([
    501,
    'the answer of line 1 cannot be made: ${request.json.id} has no value: the request has no json.id; known: request.json.no',
  ]);
  expect(setup.shown()).toMatchObject([{ status: 501, fault: { kind: 'unscripted' } }]);
});

test.each([
  [{ script: 'POST /a' }, 'a script that is "POST /a"'],
  [[{ answer: {} }], 'a line that is { answer: {} }'],
  [[{ on: 'POST' }], '`on: "POST"`'],
  [[{ on: 'POST /a', where: { json: { $likes: 1 } } }], 'unknown operator $likes'],
  [Array(1_001).fill({ on: 'POST /a' }), 'a script of 1001 lines'],
])('a part that cannot be played is a problem: %#', async (script, what) => {
  setup = await openMessengerSetup();
  const lines = 'script' in script ? script.script : script;
  await expect(setup.peer.begin({ trial: 't', attempt: 1, seed: 's', script: lines })).rejects.toMatchObject({
    what,
  });
});
