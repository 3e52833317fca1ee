import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { knockAt } from '../../../test/peers/knock-at.ts';
import { type MessengerStage, openMessengerStage } from '../../../test/peers/messenger-stage.ts';
import { eventually } from '../../../test/taps/eventually.ts';
import { httpPeerDriver } from './http-peer-driver.ts';

let stage: MessengerStage;

afterEach(() => stage.close());

test('each consumer has an address of its own, and what it asks is told under its name', async () => {
  stage = await openMessengerStage({ standing: [{ on: 'GET /me', answer: { json: { ok: true } } }] });
  expect(
    new Set([
      stage.portOf('channel'),
      stage.portOf('seed'),
      stage.portOf('outside'),
      stage.messenger.endpoint.port,
    ]).size,
  ).toBe(3);
  expect(stage.messenger.endpointFor?.('nobody')).toBeUndefined();
  for (const caller of ['channel', 'seed', 'outside'])
    expect(await stage.ask('/me?x=1', undefined, caller)).toEqual({ status: 200, text: '{"ok":true}' });
  expect(stage.told()).toEqual(
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
  expect(stage.messenger.references({ kind: 'service', name: 'channel' }, { host: 'h', port: 5 })).toEqual({
    url: 'http://h:5',
    host: 'h',
    port: '5',
  });
  expect(httpPeerDriver.referenceNames).toEqual(['url', 'host', 'port']);
});

test('a request that was packed is unpacked before a line is held against it', async () => {
  stage = await openMessengerStage({
    standing: [
      { on: 'POST /', where: { json: { to: 'ann' } }, answer: { json: { echo: '${request.json.to}' } } },
      { on: 'POST /', where: { text: 'no gzip' }, answer: { text: 'as it is' } },
    ],
  });
  const send = async (encoding: string, body: Buffer): Promise<string> => {
    const headers = { 'content-encoding': encoding };
    const url = `http://127.0.0.1:${stage.portOf('channel')}/`;
    return (await fetch(url, { method: 'POST', headers, body: Uint8Array.from(body) })).text();
  };
  const json = Buffer.from('{"to":"ann"}');
  expect(await send('gzip', gzipSync(json))).toBe('{"echo":"ann"}');
  expect(await send('zstd', zstdCompressSync(json))).toBe('{"echo":"ann"}');
  expect(await send('utf-8', json)).toBe('{"echo":"ann"}');
  expect(await send('gzip', Buffer.from('no gzip'))).toBe('as it is');
});

test('the first line that fits answers, as often as it may, then the next, then what stands', async () => {
  stage = await openMessengerStage({ standing: [{ on: '* /**', answer: { status: 404 } }] });
  await stage.begin(
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
  const send = (to: string) => stage.ask('/send', { to, id: 7 });
  expect((await send('bob')).text).toBe('{"id":7,"to":"bob!"}');
  expect((await send('ann')).text).toBe('to ann');
  expect((await send('ann')).text).toBe('{"id":7,"to":"ann!"}');
  expect((await send('ann')).status).toBe(404);
  for (let i = 0; i < 3; i += 1) expect((await stage.ask('/any', {})).text).toBe('any');
  expect(stage.told().map(({ line, standing }) => [line, standing])).toEqual([
    [2, undefined],
    [1, undefined],
    [2, undefined],
    [1, true],
    ...Array(3).fill([3, undefined]),
  ]);
  await stage.peer.settle();
  expect(stage.context.emitted.filter(({ type }) => type === 'peer.unused')).toEqual([]);
});

test('forms, queries and headers can be asked for', async () => {
  stage = await openMessengerStage();
  await stage.begin({
    on: 'POST /form',
    where: { form: { Body: 'a b' }, query: { v: '1' }, headers: { 'x-k': 'y' } },
  });
  const response = await fetch(`http://127.0.0.1:${stage.portOf('channel')}/form?v=1`, {
    method: 'POST',
    headers: { 'x-k': 'y' },
    body: new URLSearchParams({ Body: 'a b' }),
  });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('what is not scripted is answered with 501, which names what was asked and what is declared', async () => {
  stage = await openMessengerStage({ standing: [{ on: 'GET /health' }] });
  await stage.begin(
    { on: 'POST /send', where: { json: { to: 'ann' } } },
    { on: 'POST /send', where: { json: { to: 'bob' } } },
  );
  await stage.ask('/send', { to: 'bob' });
  const { status, text } = await stage.ask('/send?x=1', { to: 'bob' });
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
  expect(stage.told().at(-1)).toMatchObject({
    status: 501,
    fault: {
      kind: 'unscripted',
      what: expect.stringContaining('POST /send is not scripted for messenger; declared: line 1'),
    },
  });
  expect(stage.told().at(-1)).not.toHaveProperty('line');
});

test('lines that were not used are told at the end, and a new attempt forgets them', async () => {
  stage = await openMessengerStage();
  await stage.begin({ on: 'POST /a' }, { on: 'POST /b', times: 3 }, { on: 'POST /c', times: 'any' });
  await stage.ask('/b', {});
  await stage.peer.settle();
  expect(stage.context.emitted.filter(({ type }) => type === 'peer.unused')).toEqual([
    { type: 'peer.unused', resource: 'messenger', caller: '*', line: 1, what: 'answer to POST /a' },
    {
      type: 'peer.unused',
      resource: 'messenger',
      caller: '*',
      line: 2,
      what: 'answer to POST /b, used 1 of 3 times',
    },
  ]);
  expect((await stage.ask('/b', {})).status).toBe(200);
  await stage.peer.begin({ trial: 'u', attempt: 1, seed: 's', script: undefined });
  expect((await stage.ask('/a', {})).status).toBe(501);
});

test('an answer may be late, and does not outlive its attempt', async () => {
  stage = await openMessengerStage();
  await stage.begin(
    { on: 'GET /late', answer: { afterMs: 5, text: 'late' } },
    { on: 'GET /never', answer: { afterMs: 3_600_000 } },
  );
  expect((await stage.ask('/late')).text).toBe('late');
  const consumer = knockAt(stage.portOf('channel')).send('GET /never HTTP/1.1\r\n\r\n');
  const other = knockAt(stage.portOf('channel')).send('GET /late HTTP/1.1\r\n\r\n');
  await other.sees('501');
  await stage.peer.settle();
  expect(await consumer.over).toBe('fin');
  expect(consumer.text).toBe('');
  expect(stage.told().at(-1)).toMatchObject({ path: '/never', line: 2, status: 0 });
});

test.each([
  ['close', 'fin'],
  ['reset', 'ECONNRESET'],
  ['hang', undefined],
] as const)('instead of an answer: %s', async (instead, over) => {
  stage = await openMessengerStage();
  await stage.begin({ on: 'GET /', answer: { instead } });
  const consumer = knockAt(stage.portOf('channel')).send('GET / HTTP/1.1\r\n\r\n');
  await eventually(() => stage.told().length === 1 && consumer.heard === over);
  expect(stage.told()).toMatchObject([{ status: 0, line: 1 }]);
  expect(consumer.text).toBe('');
});

test('an answer that needs what the request does not have is a fault of the script', async () => {
  stage = await openMessengerStage();
  await stage.begin({ on: 'POST /', answer: { json: { id: '${request.json.id}' } } });
  const { status, text } = await stage.ask('/', { no: 'id' });
  expect([status, JSON.parse(text).error.message]).toEqual([
    501,
    'the answer of line 1 cannot be made: ${request.json.id} has no value: the request has no json.id',
  ]);
  expect(stage.told()).toMatchObject([{ status: 501, fault: { kind: 'unscripted' } }]);
});

test.each([
  [{ script: 'POST /a' }, 'a script that is "POST /a"'],
  [[{ answer: {} }], 'a line that is { answer: {} }'],
  [[{ on: 'POST' }], '`on: "POST"`'],
  [[{ on: 'POST /a', where: { json: { $likes: 1 } } }], 'unknown operator $likes'],
  [Array(1_001).fill({ on: 'POST /a' }), 'a script of 1001 lines'],
])('a part that cannot be played is a problem: %#', async (script, what) => {
  stage = await openMessengerStage();
  const lines = 'script' in script ? script.script : script;
  await expect(stage.peer.begin({ trial: 't', attempt: 1, seed: 's', script: lines })).rejects.toMatchObject({
    what,
  });
});
