import { afterEach, expect, test } from 'vitest';
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

const ping = { jsonrpc: '2.0', id: 1, method: 'ping', params: { a: 1 } };

test('a call without its answer is visible, and is reported under the same number when it is over', async () => {
  edge = await watchedEdge({ at: () => 5_000 });
  const { ask, answer } = await edge.talk();
  await ask(post('/mcp', ping));
  const [seen, ...others] = edge.tap.callsInFlight();
  expect(others).toEqual([]);
  expect(seen).toMatchObject({
    type: 'call',
    from: 'app',
    to: 'store',
    crossing: 1,
    connection: 1,
    protocol: 'json-rpc',
    method: 'ping',
    path: '/mcp',
    params: { a: 1 },
    request: { json: ping },
    incomplete: 'in-flight',
  });
  expect(seen).not.toHaveProperty('response');
  expect(seen?.endedAt).toBeGreaterThanOrEqual(seen?.startedAt ?? Number.POSITIVE_INFINITY);
  expect(edge.calls()).toEqual([]);
  await answer(jsonAnswer({ jsonrpc: '2.0', id: 1, result: 7 }));
  const [edited] = await edge.untilCalls(1);
  expect(edited).toMatchObject({ crossing: 1, startedAt: seen?.startedAt, result: 7 });
  expect(edited).not.toHaveProperty('incomplete');
  expect(edge.tap.callsInFlight()).toEqual([]);
});

test('a request that is still being sent is seen, and looking at it takes nothing away', async () => {
  edge = await watchedEdge();
  const slow = await edge.talk();
  const quick = await edge.talk();
  const whole = post('/mcp', ping);
  await slow.ask(whole.subarray(0, -3));
  expect(edge.tap.callsInFlight()).toMatchObject([{ crossing: 1, protocol: 'json-rpc', method: 'ping' }]);
  await quick.ask(post('/other', {}));
  expect(edge.tap.callsInFlight().map(({ path, crossing }) => [path, crossing])).toEqual([
    ['/mcp', 1],
    ['/other', 2],
  ]);
  await slow.ask(whole.subarray(-3));
  await slow.answer(jsonAnswer({ jsonrpc: '2.0', id: 1, result: 7 }));
  expect(await edge.untilCalls(1)).toMatchObject([{ crossing: 1, method: 'ping', params: { a: 1 } }]);
  expect(edge.tap.callsInFlight()).toMatchObject([{ path: '/other' }]);
});

test('the part of an answer that has arrived is seen, and an open stream of events with its events', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  await ask(http('GET /stream HTTP/1.1'));
  await answer(eventsHead + chunk('data: {"n":1}\n\n'));
  expect(edge.tap.stats().callsInFlight).toBe(0);
  expect(edge.tap.callsInFlight()).toMatchObject([
    { path: '/stream', response: { status: 200, events: [{ data: { n: 1 } }] }, incomplete: 'in-flight' },
  ]);
});

test('a stream of events that a call of the tool protocol asked for is not waited for either', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  await ask(post('/mcp', { ...ping, method: 'subscriptions/listen' }));
  expect(edge.tap.stats().callsInFlight).toBe(1);
  await answer(eventsHead + chunk('data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n'));
  expect(edge.tap.stats().callsInFlight).toBe(0);
});

test('of a batch, the calls that were not answered', async () => {
  edge = await watchedEdge();
  const stream = await edge.talk();
  await stream.ask(http('GET /sse HTTP/1.1'));
  await stream.answer(eventsHead + chunk('event: endpoint\ndata: /messages\n\n'));
  const { ask, answer } = await edge.talk();
  await ask(post('/messages', [ping, { ...ping, id: 2, method: 'later' }]));
  await answer(http('HTTP/1.1 202 Accepted'));
  await stream.answer(chunk('data: {"jsonrpc":"2.0","id":1,"result":7}\n\n'));
  expect(await edge.untilCalls(1)).toMatchObject([{ crossing: 2, method: 'ping' }]);
  expect(edge.tap.callsInFlight()).toMatchObject([
    { path: '/sse' },
    { crossing: 3, method: 'later', response: { status: 202 } },
  ]);
});

const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
const received = http('HTTP/1.1 202 Accepted');

test('a call that was cancelled is no longer awaited, and what comes late is reported', async () => {
  edge = await watchedEdge();
  const stream = await edge.talk();
  await stream.ask(http('GET /sse HTTP/1.1'));
  await stream.answer(eventsHead + chunk('event: endpoint\ndata: /messages\n\n'));
  const { ask, answer } = await edge.talk();
  await ask(post('/messages', ping));
  await answer(received);
  expect(edge.tap.stats().callsInFlight).toBe(1);
  await ask(post('/messages', { ...cancel, params: { requestId: '1' } }));
  await answer(received);
  expect(edge.tap.stats().callsInFlight).toBe(1);
  await ask(post('/messages', cancel));
  await answer(received);
  expect(edge.tap.stats().callsInFlight).toBe(0);
  const seen = edge.tap.callsInFlight().find(({ method }) => method === 'ping');
  expect(seen).toMatchObject({ crossing: 2, incomplete: 'cancelled', response: { status: 202 } });
  await stream.answer(chunk('data: {"jsonrpc":"2.0","id":1,"result":7}\n\n'));
  const edited = (await edge.untilCalls(3)).find(({ method }) => method === 'ping');
  expect(edited).toMatchObject({ crossing: 2, result: 7 });
  expect(edited).not.toHaveProperty('incomplete');
  expect(edited?.endedAt).toBeGreaterThan(seen?.endedAt ?? Number.POSITIVE_INFINITY);
});

test('a call is cancelled in its own session only, and is over at that moment', async () => {
  edge = await watchedEdge();
  const say = (session: string, body: object): Buffer =>
    http(
      'POST /mcp HTTP/1.1',
      {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': session,
      },
      JSON.stringify(body),
    );
  const [one, two, beside] = [await edge.talk(), await edge.talk(), await edge.talk()];
  for (const [talk, session] of [
    [one, 'a'],
    [two, 'b'],
  ] as const) {
    await talk.ask(say(session, ping));
    await talk.answer(eventsHead + chunk('data: \n\n'));
  }
  await beside.ask(say('a', cancel));
  await beside.answer(received);
  await edge.untilCalls(1);
  expect(edge.tap.stats().callsInFlight).toBe(1);
  const states = edge.tap.callsInFlight().map(({ crossing, incomplete }) => [crossing, incomplete]);
  expect(states).toEqual([
    [1, 'cancelled'],
    [2, 'in-flight'],
  ]);
  const [{ endedAt } = { endedAt: 0 }] = edge.tap.callsInFlight();
  await one.answer(lastChunk);
  const [, edited] = await edge.untilCalls(2);
  expect(edited).toMatchObject({ crossing: 1, incomplete: 'cancelled', endedAt });
  expect(edited).not.toHaveProperty('faults');
});

test('a call that was cancelled and is then refused was answered', async () => {
  edge = await watchedEdge();
  const [one, beside] = [await edge.talk(), await edge.talk()];
  await one.ask(post('/mcp', ping));
  await beside.ask(post('/mcp', cancel));
  await beside.answer(received);
  const refusal = http('HTTP/1.1 500 Oops', { 'content-type': 'text/plain' }, 'boom').toString();
  await one.answer(refusal.slice(0, -1));
  expect(edge.tap.callsInFlight()).toMatchObject([{ method: 'ping', incomplete: 'cancelled' }]);
  await one.answer(refusal.slice(-1));
  const edited = (await edge.untilCalls(2)).find(({ method }) => method === 'ping');
  expect(edited).toMatchObject({ response: { status: 500, text: 'boom' } });
  expect(edited).not.toHaveProperty('incomplete');
});

test('where two calls have the id that is cancelled, both are waited for', async () => {
  edge = await watchedEdge();
  const [one, two, beside] = [await edge.talk(), await edge.talk(), await edge.talk()];
  await one.ask(post('/mcp', ping));
  await two.ask(post('/mcp', ping));
  await beside.ask(post('/mcp', cancel));
  await beside.answer(received);
  await edge.untilCalls(1);
  expect(edge.tap.stats().callsInFlight).toBe(2);
});
