import { afterEach, expect, test } from 'vitest';
import {
  type DisturbedEdge,
  disturbedEdge,
  event,
  eventStream,
} from '../../../../test/taps/disturbed-edge.ts';
import { eventually, manyTurns } from '../../../../test/taps/eventually.ts';
import { createHandClock } from '../../../../test/taps/hand-clock.ts';
import { chunk, eventsHead, http, jsonAnswer, lastChunk } from '../../../../test/taps/watched-edge.ts';

let edge: DisturbedEdge;
afterEach(() => edge.close());

const ask = http('GET / HTTP/1.1');
const answer = jsonAnswer({ ok: true });

test('a request waits, with its end behind it', async () => {
  const clock = createHandClock();
  edge = await disturbedEdge({ do: 'delay', of: 'request', ms: 500 }, { clock });
  const { consumer, provider } = await edge.join();
  consumer.socket.write(ask);
  await eventually(() => edge.tap.stats().bytesWaiting === ask.length);
  clock.advance(499);
  await manyTurns();
  expect(provider.gotBytes).toBe(0);
  clock.advance(1);
  await eventually(() => provider.gotBytes === ask.length);
  expect(await edge.untilFelt(1)).toEqual(['delayed the request by 500 ms']);
  provider.socket.write(answer);
  await eventually(() => consumer.gotBytes === answer.length);
  expect(edge.tap.stats().bytesWaiting).toBe(0);
});

test('a response waits, and then passes byte for byte', async () => {
  const clock = createHandClock();
  edge = await disturbedEdge({ do: 'delay', of: 'response', ms: 40 }, { clock });
  const { consumer, provider } = await edge.answering(ask, answer);
  await eventually(() => edge.tap.stats().bytesWaiting > 0);
  provider.socket.end();
  await manyTurns();
  expect([consumer.gotBytes, consumer.heard]).toEqual([0, undefined]);
  clock.advance(40);
  expect(await consumer.over).toBe('fin');
  expect(consumer.got.equals(answer)).toBe(true);
  expect(await edge.untilFelt(1)).toEqual(['delayed the response by 40 ms']);
});

test('each event waits in its turn, and is felt once', async () => {
  const clock = createHandClock();
  edge = await disturbedEdge({ do: 'delay', of: 'event', ms: 10 }, { clock });
  const stream = eventStream([event('one'), ': ping\n\n', event('two'), event('three')]);
  const { until } = await edge.answering(ask, stream);
  await until(eventsHead);
  clock.advance(10);
  await until(eventsHead + chunk(event('one')) + chunk(': ping\n\n'));
  clock.advance(9);
  await manyTurns();
  await until(eventsHead + chunk(event('one')) + chunk(': ping\n\n'));
  clock.advance(1);
  await until(eventsHead + [event('one'), ': ping\n\n', event('two')].map(chunk).join(''));
  clock.advance(10);
  await until(stream);
  expect(stream.endsWith(lastChunk)).toBe(true);
  await edge.untilFelt(1);
  await manyTurns(2_000);
  expect(edge.felt().map(({ what }) => what)).toEqual(['delayed an event by 10 ms']);
});

test('the jitter is drawn from the seed', async () => {
  const drawn: string[] = [];
  for (const _ of [1, 2]) {
    const clock = createHandClock();
    edge = await disturbedEdge({ do: 'delay', of: 'response', ms: 100, jitterMs: 100_000 }, { clock });
    const { until } = await edge.answering(ask, answer);
    await eventually(() => edge.tap.stats().bytesWaiting > 0);
    clock.advance(100_100);
    await until(answer.toString());
    drawn.push(...(await edge.untilFelt(1)));
    await edge.close();
  }
  const [ms] = /\d+/.exec(drawn[0] ?? '') ?? [];
  expect(drawn[0]).toBe(drawn[1]);
  expect(Number(ms)).toBeGreaterThan(100);
});

test.each([
  ['a request', 'request'],
  ['a response', 'response'],
] as const)('a consumer that gives up while %s waits has felt it', async (_, of) => {
  const clock = createHandClock();
  edge = await disturbedEdge({ do: 'delay', of, ms: 40 }, { clock });
  const { consumer, provider } = await edge.answering(ask, answer);
  await eventually(() => edge.tap.stats().bytesWaiting > 0);
  consumer.socket.destroy();
  if (of === 'response') await provider.over;
  await edge.tap.disturbExchanges([]);
  await provider.over;
  expect(await edge.untilFelt(1)).toEqual([`delayed the ${of} by 40 ms`]);
});
