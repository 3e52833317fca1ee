import { afterEach, expect, test } from 'vitest';
import {
  type DisturbedEdge,
  disturbedEdge,
  event,
  eventStream,
} from '../../../../test/taps/disturbed-edge.ts';
import { eventually, manyTurns } from '../../../../test/taps/eventually.ts';
import { createHandClock } from '../../../../test/taps/hand-clock.ts';
import { sendSteadily } from '../../../../test/taps/send-steadily.ts';
import { chunk, eventsHead, http } from '../../../../test/taps/watched-edge.ts';

let edge: DisturbedEdge;
afterEach(() => edge.close());

const ask = http('GET / HTTP/1.1');
const stream = eventStream([event('one'), event('two')]);
const kb = 1024;

test('a response stops at its place, for so long', async () => {
  const clock = createHandClock();
  edge = await disturbedEdge({ do: 'hold', at: { event: 2 }, ms: 1_000 }, { clock });
  const { until, consumer, provider } = await edge.answering(ask, stream);
  await until(eventsHead + chunk(event('one')));
  expect(await edge.untilFelt(1)).toEqual(['held before event 2, after 11 bytes, for 1000 ms']);
  provider.socket.end();
  clock.advance(999);
  await manyTurns();
  expect(consumer.heard).toBeUndefined();
  clock.advance(1);
  await until(stream);
  expect(await consumer.over).toBe('fin');
});

test('a response without a body has nothing that could be held', async () => {
  const empty = http('HTTP/1.1 202 Accepted', {}, '').toString();
  edge = await disturbedEdge({ do: 'hold', at: { head: true } });
  const { until } = await edge.answering(ask, empty);
  await until(empty);
  expect(await edge.untilCalls(1)).toMatchObject([{ response: { status: 202 } }]);
  expect(edge.felt()).toEqual([]);
});

test('permanently, whatever the provider does; the consumer that gives up is passed on', async () => {
  edge = await disturbedEdge({ do: 'hold', at: { head: true } });
  const { until, consumer, provider } = await edge.answering(ask, stream);
  await until(eventsHead);
  expect(await edge.untilFelt(1)).toEqual(['held after the head, permanently']);
  expect(edge.tap.stats().callsInFlight + edge.tap.callsInFlight().length).toBeGreaterThan(0);
  provider.socket.write('more');
  consumer.socket.destroy();
  expect(await provider.over).toBe('fin');
  provider.socket.end();
  await eventually(() => edge.ends().length === 1);
  expect(edge.ends()).toEqual(['closed']);
  expect(await edge.untilCalls(1)).toMatchObject([{ incomplete: 'cut', response: { events: [] } }]);
});

test('a held response stops its provider, in bounded memory', async () => {
  edge = await disturbedEdge({ do: 'hold', at: { byte: 10 } }, { limits: { tapBufferedBytes: 64 * kb } });
  const { consumer, provider } = await edge.join();
  consumer.socket.write(ask);
  await eventually(() => provider.gotBytes > 0);
  const total = 200 * kb * kb;
  provider.socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${total}\r\n\r\n`);
  const sending = sendSteadily(provider.socket, total);
  let taken = -1;
  while (taken !== sending.takenBytes) {
    taken = sending.takenBytes;
    await manyTurns(1_000);
  }
  expect(taken).toBeLessThan(total / 4);
  expect(edge.tap.stats().bytesWaiting).toBeLessThan(kb * kb);
  expect(consumer.got.toString()).toMatch(/\r\n\r\n.{10}$/);
});

test('what a rule holds is cut off when other rules come, and what no rule holds is left alone', async () => {
  edge = await disturbedEdge([{ name: 'held', crossing: 1, fault: { do: 'hold', at: { head: true } } }]);
  const held = await edge.answering(ask, stream);
  await held.until(eventsHead);
  const free = await edge.answering(ask, eventsHead + chunk(event('one')));
  await free.until(eventsHead + chunk(event('one')));
  await edge.tap.disturbExchanges([]);
  expect(await held.consumer.over).toBe('ECONNRESET');
  free.provider.socket.write(chunk(event('two')));
  await free.until(eventsHead + chunk(event('one')) + chunk(event('two')));
  await eventually(() => edge.ends().length === 1);
  expect(edge.ends()).toEqual(['cut']);
});
