import { afterEach, expect, test } from 'vitest';
import { type DisturbedEdge, disturbedEdge, spokenTo } from '../../../../test/taps/disturbed-edge.ts';
import { eventually, manyTurns } from '../../../../test/taps/eventually.ts';
import { chunk, eventsHead, http, jsonAnswer, lastChunk, post } from '../../../../test/taps/watched-edge.ts';

let edge: DisturbedEdge;
afterEach(() => edge.close());

const ask = post('/orders', { item: 7 });
const twice = { do: 'duplicate', what: 'request' } as const;

test('the provider gets it again when it has answered, and the consumer gets the first answer after that', async () => {
  edge = await disturbedEdge(twice);
  const { consumer, provider } = await edge.join();
  consumer.socket.write(ask);
  await eventually(() => provider.got.equals(ask));
  provider.socket.write(jsonAnswer({ order: 1 }));
  const again = await edge.nextAtProvider();
  await eventually(() => again.got.equals(ask));
  await manyTurns();
  expect(consumer.got.toString()).not.toContain('order');
  expect(edge.felt()).toEqual([]);
  expect(edge.tap.stats().callsInFlight).toBe(1);
  again.socket.write(jsonAnswer({ order: 2 }));
  await spokenTo(consumer, provider).until(jsonAnswer({ order: 1 }).toString());
  expect(await edge.untilFelt(1)).toEqual(['sent the request to the provider a second time']);
  expect(await edge.untilCalls(1)).toMatchObject([{ path: '/orders', response: { json: { order: 1 } } }]);
  await again.over;
});

test('of a stream only the end waits', async () => {
  edge = await disturbedEdge(twice);
  const { until } = await edge.answering(ask, `${eventsHead}${chunk('data: 1\n\n')}${lastChunk}`);
  await until(eventsHead + chunk('data: 1\n\n'));
  const again = await edge.nextAtProvider();
  again.socket.end(`${eventsHead}${chunk('data: 2\n\n')}${lastChunk}`);
  await until(`${eventsHead}${chunk('data: 1\n\n')}${lastChunk}`);
  expect(await edge.untilFelt(1)).toHaveLength(1);
});

test.each([
  ['breaks off', (socket: { resetAndDestroy(): unknown }) => socket.resetAndDestroy()],
  ['says what is not HTTP', (socket: { write(text: string): unknown }) => socket.write('nonsense\r\n')],
])('a provider that %s the second time was not given it, and the first answer passes', async (_, act) => {
  edge = await disturbedEdge(twice);
  const { until } = await edge.answering(ask, jsonAnswer(1));
  const again = await edge.nextAtProvider();
  await eventually(() => again.got.equals(ask));
  act(again.socket);
  await until(jsonAnswer(1).toString());
  await manyTurns();
  expect(edge.felt()).toEqual([]);
});

test('closing the tap does not wait for the second answer', async () => {
  edge = await disturbedEdge(twice);
  await edge.answering(ask, jsonAnswer(1));
  const again = await edge.nextAtProvider();
  await edge.tap.close();
  await again.over;
  expect(edge.felt()).toEqual([]);
});

test('a request that is too large is not sent again', async () => {
  edge = await disturbedEdge(twice);
  const large = http('PUT /file HTTP/1.1', {}, Buffer.alloc(2 * 1024 * 1024, 'x'));
  const { consumer, provider } = await edge.join();
  consumer.socket.write(large);
  await eventually(() => provider.gotBytes === large.length);
  provider.socket.write(jsonAnswer(1));
  await spokenTo(consumer, provider).until(jsonAnswer(1).toString());
  expect(edge.felt()).toEqual([]);
});
