import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../../test/taps/eventually.ts';
import { createHandClock } from '../../../test/taps/hand-clock.ts';
import {
  chunk,
  eventsHead,
  http,
  jsonAnswer,
  lastChunk,
  post,
  type Talk,
  type WatchedEdge,
  watchedEdge,
} from '../../../test/taps/watched-edge.ts';
import { whyNotKept } from '../../kernel/not-kept.ts';

let edge: WatchedEdge;
afterEach(() => edge.close());

const call = (id: unknown, method: string, params?: unknown) => ({ jsonrpc: '2.0', id, method, params });
const result = (id: unknown, value: unknown) => ({ jsonrpc: '2.0', id, result: value });
const message = (value: unknown): string => chunk(`event: message\ndata: ${JSON.stringify(value)}\n\n`);
const accepted = http('HTTP/1.1 202 Accepted');

/** An open event stream that has named its endpoint. */
async function session(endpoint: string): Promise<Talk> {
  const stream = await edge.talk();
  await stream.ask(http('GET /sse HTTP/1.1', { accept: 'text/event-stream' }));
  await stream.answer(eventsHead + chunk(`event: endpoint\ndata: ${endpoint}\n\n`));
  return stream;
}

test('a call and its answer are lifted out of the bodies', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  await ask(post('/mcp', call(1, 'tools/call', { name: 'add' })));
  await answer(jsonAnswer(result(1, { sum: 3 })));
  await ask(post('/mcp', call('1', 'tools/list')));
  await answer(jsonAnswer({ jsonrpc: '2.0', id: '1', error: { code: -32601, message: 'no' } }));
  const [first, second] = await edge.untilCalls(2);
  expect(first).toMatchObject({
    protocol: 'json-rpc',
    method: 'tools/call',
    path: '/mcp',
    params: { name: 'add' },
    result: { sum: 3 },
  });
  expect(first?.request.json).toEqual(call(1, 'tools/call', { name: 'add' }));
  expect(second).toMatchObject({ method: 'tools/list', error: { code: -32601 } });
  expect(second).not.toHaveProperty('params');
});

test.each(['text/plain', 'application/x-www-form-urlencoded'])(
  'a call that is declared as %s is one',
  async (type) => {
    edge = await watchedEdge();
    const { ask, answer } = await edge.talk();
    const body = JSON.stringify(call(1, 'tools/call', { name: 'delete_all' }));
    await ask(http('POST /mcp HTTP/1.1', { 'content-type': type }, body));
    await answer(jsonAnswer(result(1, 'gone')));
    const [seen] = await edge.untilCalls(1);
    expect(seen).toMatchObject({ method: 'tools/call', params: { name: 'delete_all' }, result: 'gone' });
  },
);

test('of a call that is not strict JSON the method is known, and that its parameters could not be read', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_all","score":NaN}}';
  await ask(http('POST /mcp HTTP/1.1', { 'content-type': 'application/json' }, body));
  await answer(jsonAnswer(result(1, 'gone')));
  const [seen] = await edge.untilCalls(1);
  expect(seen).toMatchObject({ protocol: 'json-rpc', method: 'tools/call', result: 'gone' });
  expect(whyNotKept(seen?.params)).toContain('cannot be read');
});

test('an answer with another id is not lifted, and neither is one of another protocol', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  for (const said of [result('1', 'text, not number'), { id: 1, result: 'no jsonrpc' }, 'nothing']) {
    await ask(post('/', call(1, 'ping')));
    await answer(jsonAnswer(said));
  }
  for (const edited of await edge.untilCalls(3)) {
    expect(edited).toMatchObject({ protocol: 'json-rpc', method: 'ping' });
    expect(edited).not.toHaveProperty('result');
  }
});

test('the answer is found among the events of the response, after other messages', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  await ask(post('/mcp', call(7, 'tools/call')));
  const note = { jsonrpc: '2.0', method: 'notifications/progress', params: {} };
  await answer(eventsHead + message(note));
  await answer(message(result(7, 'done')) + lastChunk);
  const [edited] = await edge.untilCalls(1);
  expect(edited).toMatchObject({
    method: 'tools/call',
    result: 'done',
    response: { events: [{ data: note }, { event: 'message' }] },
  });
});

test('a call is whole once its answer has arrived, whichever side ends the stream; without the answer it is cut', async () => {
  edge = await watchedEdge();
  const said = eventsHead + message(result(1, 'done'));
  for (const [ender, events] of [
    ['consumer', said],
    ['provider', said],
    ['consumer', eventsHead],
  ] as const) {
    const { ask, answer, [ender]: peer } = await edge.talk();
    await ask(post('/mcp', call(1, 'tools/call')));
    await answer(events);
    peer.socket.resetAndDestroy();
  }
  const calls = await edge.untilCalls(3);
  expect(calls.filter(({ result: one }) => one === 'done').map(({ incomplete }) => incomplete)).toEqual([
    undefined,
    undefined,
  ]);
  expect(calls.filter(({ result: one }) => one === undefined)).toMatchObject([{ incomplete: 'cut' }]);
});

test('an answer that comes after more events than are kept is still extracted', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  await ask(post('/mcp', call(7, 'tools/call')));
  await answer(eventsHead + chunk('data: "progress"\n\n'.repeat(1_200)));
  await answer(message(result(7, 'done')) + lastChunk);
  expect(await edge.untilCalls(1)).toMatchObject([{ result: 'done', incomplete: 'too-large' }]);
});

test('each call of a batch is one of its own', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  const note = { jsonrpc: '2.0', method: 'note' };
  await ask(post('/', [call(1, 'a'), note, call(2, 'b')]));
  await answer(jsonAnswer([result(2, 'for b'), result(1, 'for a')]));
  const edited = await edge.untilCalls(3);
  expect(edited.map(({ crossing, method, result: said }) => [crossing, method, said])).toEqual([
    [1, 'a', 'for a'],
    [2, 'note', undefined],
    [3, 'b', 'for b'],
  ]);
  expect(edge.tap.stats().callsInFlight).toBe(0);
});

test.each([
  ['a relative address', '/messages?session=1', '/messages?session=1'],
  ['an absolute address', 'http://store:8080/messages?session=1', '/messages?session=1'],
  ['an address relative to the stream’s', 'messages?session=1', '/messages?session=1'],
])('an answer on the event stream belongs to the call of its session: %s', async (_, endpoint, path) => {
  edge = await watchedEdge();
  const stream = await session(endpoint);
  const { ask, answer } = await edge.talk();
  await ask(post(path, call(1, 'tools/call')));
  await answer(accepted);
  expect(edge.tap.stats().callsInFlight).toBe(1);
  expect(edge.calls()).toEqual([]);
  await stream.answer(message(result(2, 'for somebody else')) + message(result(1, 'for us')));
  const [edited] = await edge.untilCalls(1);
  expect(edited).toMatchObject({
    method: 'tools/call',
    result: 'for us',
    response: { status: 202 },
    connection: 2,
  });
  expect(edited).not.toHaveProperty('incomplete');
  expect(edge.tap.stats().callsInFlight).toBe(0);
});

test('an answer on the stream may come before the receipt, and sessions do not mix', async () => {
  edge = await watchedEdge();
  const [ada, bob] = [await session('/messages?session=ada'), await session('/messages?session=bob')];
  const { ask, answer } = await edge.talk();
  await ask(post('/messages?session=bob', call(1, 'whoami')));
  await ada.answer(message(result(1, 'ada')));
  await bob.answer(message(result(1, 'bob')));
  await answer(accepted);
  await ask(post('/messages?session=ada', { jsonrpc: '2.0', method: 'note' }));
  await answer(accepted);
  const edited = await edge.untilCalls(2);
  expect(edited.map(({ method, result: said }) => [method, said])).toEqual([
    ['whoami', 'bob'],
    ['note', undefined],
  ]);
});

test('an answer that is too large to be kept is reported as such', async () => {
  edge = await watchedEdge();
  const stream = await session('/messages');
  const { ask, answer } = await edge.talk();
  await ask(post('/messages', call(1, 'read')));
  await answer(accepted);
  await stream.answer(message(result(1, 'x'.repeat(300_000))));
  const [edited] = await edge.untilCalls(1);
  expect(edited).toMatchObject({ method: 'read', incomplete: 'too-large' });
  expect(edited).not.toHaveProperty('result');
});

test('a call is reported without its answer when none came in time', async () => {
  const clock = createHandClock();
  edge = await watchedEdge({ clock });
  await session('/messages');
  const { ask, answer } = await edge.talk();
  await ask(post('/messages', call(1, 'lost')));
  await answer(accepted);
  clock.advance(29_000);
  expect(edge.calls()).toEqual([]);
  clock.advance(1_000);
  expect(edge.calls()).toMatchObject([{ method: 'lost', incomplete: 'unanswered', endedAt: 30_000 }]);
  expect(edge.tap.stats().callsInFlight).toBe(0);
});

test('a call is reported when the stream ends that was to bring its answer, and when the tap closes', async () => {
  edge = await watchedEdge();
  const stream = await session('/one');
  await session('/two');
  const { ask, answer } = await edge.talk();
  for (const path of ['/one', '/two']) {
    await ask(post(path, call(1, path)));
    await answer(accepted);
  }
  stream.provider.socket.resetAndDestroy();
  await eventually(() => edge.calls().some(({ method }) => method === '/one'));
  expect(edge.calls()).toContainEqual(expect.objectContaining({ method: '/one', incomplete: 'cut' }));
  await edge.tap.close();
  expect(edge.calls()).toContainEqual(expect.objectContaining({ method: '/two', incomplete: 'cut' }));
  expect(edge.calls()).toHaveLength(4);
  expect(edge.tap.stats().callsInFlight).toBe(0);
});

test('a refusal is the answer, and nothing is waited for', async () => {
  edge = await watchedEdge();
  await session('/messages');
  const { ask, answer } = await edge.talk();
  await ask(post('/messages', call(1, 'ping')));
  await answer(http('HTTP/1.1 404 Not Found'));
  expect(await edge.untilCalls(1)).toMatchObject([{ method: 'ping', response: { status: 404 } }]);
});

test('a call that is too large to be kept is known by its beginning, and its answer is its own', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  const params = { name: 'add', text: 'x'.repeat(300_000) };
  for (const body of [
    call(1, 'tools/call', params),
    { method: 'tools/call', params, jsonrpc: '2.0', id: 1 },
  ]) {
    await ask(post('/mcp', body));
    await answer(jsonAnswer(result(1, { sum: 3 })));
  }
  for (const edited of await edge.untilCalls(2)) {
    expect(edited).toMatchObject({
      protocol: 'json-rpc',
      method: 'tools/call',
      result: { sum: 3 },
      incomplete: 'too-large',
    });
    expect(edited).not.toHaveProperty('params');
  }
});

test('JSON of 200 KB is kept whole', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  const params = { text: 'x'.repeat(200 * 1024) };
  await ask(post('/mcp', call(1, 'tools/call', params)));
  await answer(jsonAnswer(result(1, params)));
  const [edited] = await edge.untilCalls(1);
  expect(edited).toMatchObject({ params, result: params });
  expect(edited).not.toHaveProperty('incomplete');
});
