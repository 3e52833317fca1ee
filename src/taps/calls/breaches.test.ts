import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { manyTurns } from '../../../test/taps/eventually.ts';
import {
  chunk,
  eventsHead,
  http,
  jsonAnswer,
  lastChunk,
  post,
  type WatchedEdge,
  watchedEdge,
} from '../../../test/taps/watched-edge.ts';

let edge: WatchedEdge;
afterEach(() => edge.close());

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 10\r\n\r\n';

describe('of the provider', () => {
  test.each([
    [
      'a body that is shorter than announced',
      `${head}half`,
      'http.body-too-short',
      'is 10, and the connection ended after 4',
    ],
    [
      'chunks without the last',
      `${eventsHead}${chunk('data: 1\n\n')}`,
      'http.no-last-chunk',
      'after 9 bytes',
    ],
  ])('%s', async (_, answer, rule, what) => {
    for (const how of ['end', 'resetAndDestroy'] as const) {
      edge = await watchedEdge();
      const talk = await edge.talk();
      await talk.ask(post('/', {}));
      await talk.answer(answer);
      talk.provider.socket[how]();
      const [call] = await edge.untilCalls(1);
      expect(call).toMatchObject({ incomplete: 'cut', faults: [{ by: 'provider', rule }] });
      expect(call?.faults?.[0]?.what).toContain(what);
      expect(call?.response).toMatchObject({ unfinished: true });
      await edge.close();
    }
  });

  test('a packed body without its end, in a message that is whole', async () => {
    edge = await watchedEdge();
    const talk = await edge.talk();
    const packed = gzipSync('half of it');
    for (const bytes of [packed, packed.subarray(0, -8)]) {
      const length = `content-length: ${bytes.length}`;
      const head = `content-encoding: gzip\r\n${length}\r\n\r\n`;
      await talk.ask(Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\n${head}`), bytes]));
      await talk.answer(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}`), bytes]));
    }
    const [whole, cut] = await edge.untilCalls(2);
    expect(whole).not.toHaveProperty('incomplete');
    expect(whole?.response).not.toHaveProperty('unfinished');
    const what = expect.stringContaining('gzip');
    expect(cut).toMatchObject({
      incomplete: 'cut',
      request: { text: 'half of it', unfinished: true },
      response: { text: 'half of it', unfinished: true },
      faults: [{ by: 'provider', rule: 'http.coding-unfinished', what }],
    });
  });

  test('a reset where only the end of the connection ends the body', async () => {
    for (const how of ['end', 'resetAndDestroy'] as const) {
      edge = await watchedEdge();
      const talk = await edge.talk();
      await talk.ask(post('/', {}));
      await talk.answer('HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\nhalf');
      talk.provider.socket[how]();
      const [call] = await edge.untilCalls(1);
      const faults = [{ by: 'provider', rule: 'http.reset', what: expect.stringContaining('after 4 bytes') }];
      expect(call).toMatchObject(
        how === 'end' ? { response: { text: 'half' } } : { incomplete: 'cut', faults },
      );
      if (how === 'end') expect(call).not.toHaveProperty('incomplete');
      await edge.close();
    }
  });

  test.each([
    [
      'a body that is longer than announced',
      `${head}0123456789 and more`,
      'http.body-too-long',
      'content-length: 10',
    ],
    ['a second response', `${head}0123456789${head}0123456789`, 'http.body-too-long', 'after 10 bytes'],
    ['no HTTP', '220 mail ready\r\n', 'http.not-http', '220 mail ready'],
    ['no HTTP for long', `220 ${'x'.repeat(60)}\r\n`, 'http.not-http', `${'x'.repeat(56)}…`],
    [
      'a negative length',
      'HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n',
      'http.not-http',
      'content-length: -5',
    ],
    ['chunks without sizes', `${eventsHead}zz\r\n`, 'http.bad-chunk', 'an invalid chunk size'],
  ])('%s', async (_, answer, rule, what) => {
    edge = await watchedEdge();
    const talk = await edge.talk();
    await talk.ask(post('/', {}));
    await talk.answer(answer);
    const [call] = await edge.untilCalls(1);
    expect(call).toMatchObject({ path: '/', faults: [{ by: 'provider', rule }] });
    expect(call?.faults?.[0]?.what).toContain(what);
  });

  test('what the tool protocol forbids', async () => {
    edge = await watchedEdge();
    const talk = await edge.talk();
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const ask = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: {} } };
    await talk.ask(http('POST /mcp HTTP/1.1', headers, JSON.stringify(ask)));
    await talk.answer(http('HTTP/1.1 200 OK', { 'content-type': 'text/html' }, '<p>'));
    expect(await edge.untilCalls(1)).toMatchObject([
      { method: 'tools/call', faults: [{ by: 'provider', rule: 'mcp.content-type' }] },
    ]);
  });

  test('an answer that is not what the tool says of itself', async () => {
    edge = await watchedEdge();
    const talk = await edge.talk();
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const ask = (id: number, method: string, params = {}) =>
      http('POST /mcp HTTP/1.1', headers, JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const says = (id: number, result: unknown) =>
      http(
        'HTTP/1.1 200 OK',
        { 'content-type': 'application/json' },
        JSON.stringify({ jsonrpc: '2.0', id, result }),
      );
    const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
    const answer = (sum: unknown) => ({ content: [{ type: 'text', text: '5' }], structuredContent: { sum } });
    await talk.ask(ask(1, 'tools/list'));
    await talk.answer(says(1, { tools: [{ name: 'add', inputSchema: { type: 'object' }, outputSchema }] }));
    for (const [id, sum] of [
      [2, 5],
      [3, 'five'],
    ] as const) {
      await talk.ask(ask(id, 'tools/call', { name: 'add', arguments: {} }));
      await talk.answer(says(id, answer(sum)));
    }
    const calls = await edge.untilCalls(3);
    expect(calls[1]).not.toHaveProperty('faults');
    expect(calls[2]?.faults).toMatchObject([{ by: 'provider', rule: 'mcp.output-schema' }]);
  });
});

describe('of the consumer', () => {
  test.each([
    ['junk', 'junk\r\n\r\n'],
    ['an invalid length', 'POST / HTTP/1.1\r\ncontent-length: x\r\n\r\n'],
  ])('%s, which the provider refuses', async (_, junk) => {
    edge = await watchedEdge();
    const talk = await edge.talk();
    await talk.ask(junk);
    await talk.answer(http('HTTP/1.1 400 Bad Request'));
    const [call] = await edge.untilCalls(1);
    expect(call).toMatchObject({
      incomplete: 'not-http',
      method: '?',
      request: { text: junk },
      response: { status: 400 },
      faults: [{ by: 'consumer', rule: 'http.not-http' }],
    });
    expect(edge.tap.stats().callsInFlight).toBe(0);
  });

  test('HTTP/2 without an upgrade: unread each time that something passes, and its end is not awaited', async () => {
    edge = await watchedEdge();
    const talk = await edge.talk();
    await talk.ask('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    await talk.answer(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    const [first] = edge.tap.callsInFlight();
    expect(first).toMatchObject({ method: '?', incomplete: 'not-http', connection: 1 });
    await talk.ask(Buffer.from([0, 0, 0, 4, 1, 0, 0, 0, 0]));
    const [later] = edge.tap.callsInFlight();
    expect(later?.startedAt).toBeGreaterThan(first?.startedAt ?? Number.NaN);
    expect(later?.crossing).toBe(first?.crossing);
    expect(edge.tap.stats().callsInFlight).toBe(0);
    expect(edge.calls()).toEqual([]);
    talk.consumer.socket.end();
    talk.provider.socket.end();
    expect(await edge.untilCalls(1)).toEqual([{ ...later, endedAt: expect.any(Number) }]);
    expect(edge.tap.callsInFlight()).toEqual([]);
  });

  test('a session without the version that it agreed upon', async () => {
    edge = await watchedEdge();
    const talk = await edge.talk();
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const rpc = (id: number, method: string, more = {}) =>
      http('POST /mcp HTTP/1.1', { ...headers, ...more }, JSON.stringify({ jsonrpc: '2.0', id, method }));
    const says = (id: number, result: unknown) =>
      http(
        'HTTP/1.1 200 OK',
        { 'content-type': 'application/json', 'mcp-session-id': 's1' },
        JSON.stringify({ jsonrpc: '2.0', id, result }),
      );
    const info = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } };
    await talk.ask(rpc(1, 'initialize'));
    await talk.answer(says(1, info));
    await talk.ask(rpc(2, 'ping', { 'mcp-session-id': 's1' }));
    await talk.answer(says(2, {}));
    const named = { 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-06-18' };
    await talk.ask(rpc(3, 'ping', named));
    await talk.answer(says(3, {}));
    const calls = await edge.untilCalls(3);
    expect(calls[1]?.faults).toMatchObject([{ by: 'consumer', rule: 'mcp.version-header' }]);
    expect(calls[2]).not.toHaveProperty('faults');
  });
});

describe('no breach is reported', () => {
  const edited = async (act: (talk: Awaited<ReturnType<WatchedEdge['talk']>>) => Promise<unknown>) => {
    edge = await watchedEdge();
    const talk = await edge.talk();
    await act(talk);
    const [call] = await edge.untilCalls(1);
    expect(call).not.toHaveProperty('faults');
  };

  test('for a response that the consumer did not wait for', () =>
    edited(async ({ ask, answer, consumer, provider }) => {
      await ask(post('/', {}));
      await answer(`${head}half`);
      consumer.socket.end();
      await provider.over;
      provider.socket.end();
    }));

  test('for a connection that ended before an answer began', () =>
    edited(async ({ ask, provider }) => {
      await ask(post('/', {}));
      provider.socket.end();
    }));

  test('for a body that lasts until the end', () =>
    edited(async ({ ask, answer, provider }) => {
      await ask(http('GET / HTTP/1.0'));
      await answer('HTTP/1.0 200 OK\r\n\r\nall of it');
      provider.socket.end();
    }));

  test('for a line end too many', () =>
    edited(async ({ ask, answer }) => {
      await ask(post('/', {}));
      await answer(`${head}0123456789\r\n`);
    }));

  test('for another protocol after an upgrade', () =>
    edited(async ({ ask, answer }) => {
      await ask(http('GET / HTTP/1.1', { upgrade: 'x', connection: 'upgrade' }));
      await answer('HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n\u0000\u0001more');
    }));

  test('for what a rule has cut off', () =>
    edited(async ({ ask, provider }) => {
      await ask(post('/', {}));
      await edge.tap.disturb({ rule: 'cut', direction: 'received', by: 'fin', afterBytes: head.length + 2 });
      provider.socket.write(`${head}0123456789`);
    }));

  test('for the shutdown of an environment', () =>
    edited(async ({ ask, answer }) => {
      await ask(post('/', {}));
      await answer(`${head}half`);
      await edge.tap.close();
    }));

  test('where a protocol is not supported', async () => {
    edge = await watchedEdge();
    const talk = await edge.talk();
    await talk.ask('PING\n');
    await talk.answer(http('HTTP/1.1 200 OK'));
    talk.provider.socket.end();
    await manyTurns();
    expect(edge.calls()).toEqual([]);
  });

  test('for streams and chunks as they should be', () =>
    edited(async ({ ask, answer }) => {
      await ask(post('/', {}));
      await answer(`${eventsHead}${chunk('data: 1\n\n')}${lastChunk}`);
    }));

  test('for a page of an ordinary server', () =>
    edited(async ({ ask, answer }) => {
      await ask(post('/', { method: 'tools/call' }));
      await answer(jsonAnswer('fine'));
    }));
});
