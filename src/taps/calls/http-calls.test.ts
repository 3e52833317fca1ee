import { afterEach, describe, expect, test } from 'vitest';
import { eventually, manyTurns } from '../../../test/taps/eventually.ts';
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

const kb = 1024;

test('a request and its response are one call, reported when the last byte has passed', async () => {
  edge = await watchedEdge({ at: () => 5_000 });
  const { ask, answer } = await edge.talk();
  await ask(post('/ask?user=ada', { text: 'hello' }));
  expect(edge.tap.stats().callsInFlight).toBe(1);
  await answer('HTTP/1.1 201 Created\r\nContent-Type: application/json\r\ncontent-length: 11\r\n\r\n{"ok":');
  expect(edge.calls()).toEqual([]);
  await answer('true}');
  const [call] = await edge.untilCalls(1);
  expect(call).toEqual({
    type: 'call',
    from: 'app',
    to: 'store',
    crossing: 1,
    connection: 1,
    protocol: 'http',
    method: 'POST',
    path: '/ask?user=ada',
    request: {
      headers: { 'content-type': 'application/json', 'content-length': '16' },
      json: { text: 'hello' },
      bytes: 16,
    },
    response: {
      status: 201,
      headers: { 'content-type': 'application/json', 'content-length': '11' },
      json: { ok: true },
      bytes: 11,
    },
    startedAt: expect.any(Number),
    endedAt: expect.any(Number),
  });
  expect(call?.startedAt).toBeGreaterThanOrEqual(5_000);
  expect(call?.startedAt).toBeLessThan(60_000);
  expect(call?.endedAt).toBeGreaterThanOrEqual(call?.startedAt ?? 0);
  expect(edge.tap.stats().callsInFlight).toBe(0);
});

test('calls are numbered over all connections, in the order in which they began', async () => {
  edge = await watchedEdge();
  const [one, two] = [await edge.talk(), await edge.talk()];
  await one.ask(http('GET /slow HTTP/1.1'));
  await two.ask(http('GET /quick HTTP/1.1'));
  await two.answer(http('HTTP/1.1 200 OK'));
  await one.answer(http('HTTP/1.1 200 OK'));
  await one.ask(http('GET /again HTTP/1.1'));
  await one.answer(http('HTTP/1.1 200 OK'));
  const edited = (await edge.untilCalls(3)).map(({ path, crossing, connection }) => [
    path,
    crossing,
    connection,
  ]);
  expect(edited).toEqual([
    ['/quick', 2, 2],
    ['/slow', 1, 1],
    ['/again', 3, 1],
  ]);
});

test('pipelined requests get their responses in order; a HEAD, an interim and an empty answer do not confuse', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  await ask(
    Buffer.concat([
      http('HEAD /1 HTTP/1.1'),
      post('/2', 2),
      http('DELETE /3 HTTP/1.1'),
      http('GET /4 HTTP/1.1'),
    ]),
  );
  expect(edge.tap.stats().callsInFlight).toBe(4);
  await answer('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n');
  await answer(
    Buffer.concat([jsonAnswer('two'), Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'), jsonAnswer([4])]),
  );
  const edited = await edge.untilCalls(4);
  expect(
    edited.map(({ method, path, response }) => [method, path, response?.status, response?.json]),
  ).toEqual([
    ['HEAD', '/1', 200, undefined],
    ['POST', '/2', 200, 'two'],
    ['DELETE', '/3', 204, undefined],
    ['GET', '/4', 200, [4]],
  ]);
});

test('a body without a length is complete when the provider ends the connection', async () => {
  edge = await watchedEdge();
  const { ask, answer, provider } = await edge.talk();
  await ask(http('GET / HTTP/1.0'));
  await answer('HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\nall of it');
  provider.socket.end();
  const [call] = await edge.untilCalls(1);
  expect(call).not.toHaveProperty('incomplete');
  expect(call?.response).toMatchObject({ text: 'all of it', bytes: 9 });
});

describe('what is incomplete is reported as far as it came', () => {
  test('a response that is cut off', async () => {
    edge = await watchedEdge();
    const { ask, answer, provider } = await edge.talk();
    await ask(post('/', { a: 1 }));
    await answer('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf');
    provider.socket.resetAndDestroy();
    const [call] = await edge.untilCalls(1);
    expect(call).toMatchObject({
      incomplete: 'cut',
      response: { status: 200, text: 'half', bytes: 4, unfinished: true },
    });
    expect(call?.request).not.toHaveProperty('unfinished');
    expect(edge.tap.stats().callsInFlight).toBe(0);
  });

  test('a stream of events that is cut off keeps those that passed', async () => {
    edge = await watchedEdge();
    const { ask, answer, provider } = await edge.talk();
    await ask(post('/', {}));
    await answer(eventsHead + chunk('data: 1\n\ndata: {"n":2}\n\ndata: {"n'));
    expect(edge.tap.stats().callsInFlight).toBe(1);
    provider.socket.end();
    const [call] = await edge.untilCalls(1);
    expect(call).toMatchObject({
      incomplete: 'cut',
      response: { events: [{ data: 1 }, { data: { n: 2 } }] },
    });
  });

  test.each([
    ['content-length: 100\r\n\r\nitem=tea', { text: 'item=tea', bytes: 8 }],
    ['content-length: 100\r\n\r\n', { bytes: 0 }],
    [
      `content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunk('{"item":"tea"}')}`,
      { json: { item: 'tea' }, bytes: 14 },
    ],
  ])('a request that its consumer broke off: %j', async (rest, request) => {
    edge = await watchedEdge();
    const { ask, consumer } = await edge.talk();
    await ask(`POST / HTTP/1.1\r\n${rest}`);
    expect(edge.tap.callsInFlight()).toMatchObject([{ request: { unfinished: true } }]);
    consumer.socket.resetAndDestroy();
    const [call] = await edge.untilCalls(1);
    expect(call).toMatchObject({ incomplete: 'cut', request: { ...request, unfinished: true } });
    expect(call).not.toHaveProperty('response');
  });

  test('no response at all', async () => {
    edge = await watchedEdge();
    const { ask, provider } = await edge.talk();
    await ask(post('/', { a: 1 }));
    provider.socket.end();
    const [call] = await edge.untilCalls(1);
    expect(call).toMatchObject({ incomplete: 'cut', request: { json: { a: 1 } } });
    expect(call?.request).not.toHaveProperty('unfinished');
    expect(call).not.toHaveProperty('response');
  });

  test('a request that was answered before it was complete', async () => {
    edge = await watchedEdge();
    const { ask, answer, provider } = await edge.talk();
    await ask('POST / HTTP/1.1\r\ncontent-length: 100\r\n\r\nhalf');
    await answer(http('HTTP/1.1 413 Too Large'));
    provider.socket.end();
    const [call] = await edge.untilCalls(1);
    expect(call).toMatchObject({
      incomplete: 'cut',
      request: { text: 'half', bytes: 4, unfinished: true },
      response: { status: 413 },
    });
    expect(call?.response).not.toHaveProperty('unfinished');
  });

  test('a head that is too large, and its refusal', async () => {
    edge = await watchedEdge();
    const { ask, answer } = await edge.talk();
    await ask(`GET / HTTP/1.1\r\na: 1\r\nbig: ${'x'.repeat(70 * kb)}\r\n\r\n`);
    await answer(http('HTTP/1.1 431 Too Large'));
    const [call] = await edge.untilCalls(1);
    expect(call).toMatchObject({
      incomplete: 'too-large',
      request: { headers: { a: '1' } },
      response: { status: 431 },
    });
  });

  test('an answer that is not HTTP', async () => {
    edge = await watchedEdge();
    const { ask, answer } = await edge.talk();
    await ask(http('GET / HTTP/1.1'));
    await answer('220 mail ready\r\n');
    const [call] = await edge.untilCalls(1);
    expect(call).toMatchObject({ incomplete: 'not-http', path: '/' });
    expect(call).not.toHaveProperty('response');
  });

  test('what is open when the tap closes', async () => {
    edge = await watchedEdge();
    const { ask } = await edge.talk();
    await ask(http('GET /slow HTTP/1.1'));
    await edge.tap.close();
    expect(edge.calls()).toMatchObject([{ path: '/slow', incomplete: 'cut' }]);
    expect(edge.events.at(-1)).toMatchObject({ type: 'connection.closed' });
  });
});

describe('other protocols pass, and are reported as unread', () => {
  test('after an upgrade', async () => {
    edge = await watchedEdge();
    const { ask, answer, consumer } = await edge.talk();
    await ask(http('GET /socket HTTP/1.1', { connection: 'Upgrade', upgrade: 'websocket' }));
    await answer('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n');
    expect(await edge.untilCalls(1)).toMatchObject([{ path: '/socket', response: { status: 101 } }]);
    await ask(http('GET /not-a-request HTTP/1.1'));
    await answer(http('HTTP/1.1 200 OK'));
    consumer.socket.end();
    await manyTurns();
    expect(edge.calls()).toHaveLength(1);
    expect(edge.tap.stats().callsInFlight).toBe(0);
  });

  test.each([
    ['a frame of the consumer', 'consumer', Buffer.from('00001B(:TYPE :health-check)')],
    ['a greeting of the provider', 'provider', Buffer.from('000043(:TYPE :EVENT)')],
    ['the first bytes of PostgreSQL', 'consumer', Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])],
  ] as const)('%s', async (_, first, bytes) => {
    edge = await watchedEdge();
    const talk = await edge.talk();
    await (first === 'consumer' ? talk.ask(bytes) : talk.answer(bytes));
    await talk.ask(http('GET / HTTP/1.1'));
    await talk.answer(http('HTTP/1.1 200 OK'));
    talk.consumer.socket.end();
    talk.provider.socket.end();
    await eventually(() => edge.ends().length === 1);
    expect(edge.calls()).toMatchObject([{ method: '?', path: '?', incomplete: 'not-http' }]);
  });

  test('nothing is reported without an observer', async () => {
    edge = await watchedEdge({ watch: undefined } as object);
    const { ask, answer } = await edge.talk();
    await ask(http('GET / HTTP/1.1'));
    await answer(http('HTTP/1.1 200 OK'));
    await manyTurns();
    expect(edge.calls()).toEqual([]);
    expect(edge.tap.stats().callsInFlight).toBe(0);
  });
});

test('what a disturbance held back is seen when it passes', async () => {
  edge = await watchedEdge();
  const { consumer, provider } = await edge.talk();
  await edge.tap.disturb({ rule: 'hold', direction: 'sent' });
  consumer.socket.write(http('GET /held HTTP/1.1'));
  await eventually(() => edge.tap.stats().bytesWaiting > 0);
  expect(edge.tap.stats().callsInFlight).toBe(0);
  await edge.tap.disturb({ rule: 'pass' });
  await eventually(() => provider.gotBytes > 0);
  expect(edge.tap.stats().callsInFlight).toBe(1);
  await edge.tap.disturb({ rule: 'cut', direction: 'received', by: 'fin', afterBytes: 30 });
  provider.socket.write(http('HTTP/1.1 200 OK', { 'content-type': 'text/plain' }, 'x'.repeat(100)));
  expect(await edge.untilCalls(1)).toMatchObject([{ path: '/held', incomplete: 'cut' }]);
});

test('a GET that is answered by events is not in flight, and is reported when it ends', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  await ask(http('GET /events HTTP/1.1'));
  await answer(eventsHead + chunk('data: 1\n\n'));
  expect(edge.tap.stats().callsInFlight).toBe(0);
  const before = edge.tap.stats().lastActivityAt;
  await answer(chunk('data: 2\n\n'));
  expect(edge.tap.stats().lastActivityAt).toBeGreaterThan(before);
  expect(edge.calls()).toEqual([]);
  await answer(lastChunk);
  const [call] = await edge.untilCalls(1);
  expect(call).toMatchObject({ path: '/events', response: { events: [{ data: 1 }, { data: 2 }] } });
  expect(call).not.toHaveProperty('incomplete');
  expect(edge.tap.stats().callsInFlight).toBe(0);
});
