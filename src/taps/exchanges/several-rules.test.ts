import { afterEach, expect, test } from 'vitest';
import { type DisturbedEdge, disturbedEdge, event, eventStream } from '../../../test/taps/disturbed-edge.ts';
import { eventually, manyTurns } from '../../../test/taps/eventually.ts';
import { createHandClock } from '../../../test/taps/hand-clock.ts';
import { chunk, eventsHead, http } from '../../../test/taps/watched-edge.ts';

let edge: DisturbedEdge;
afterEach(() => edge.close());

const ask = http('GET / HTTP/1.1');
const [one, two, three] = ['one', 'two', 'three'].map(event) as [string, string, string];
const stream = eventStream([one, two, three]);
const head = eventsHead;

test('a place is counted in what the consumer gets, whichever rule comes first', async () => {
  edge = await disturbedEdge([
    { do: 'cut', at: { event: 2 }, by: 'fin' },
    { do: 'drop', event: 1 },
  ]);
  const { consumer, got } = await edge.answering(ask, stream);
  expect(await consumer.over).toBe('fin');
  expect(got()).toBe(head + chunk(two));
  await edge.untilFelt(2);
  expect(
    edge
      .felt()
      .map(({ disturbance }) => disturbance)
      .toSorted(),
  ).toEqual(['disturb[0]', 'disturb[1]']);
});

test('what one rule keeps is forwarded before another cuts', async () => {
  edge = await disturbedEdge([
    { do: 'cut', at: { byte: one.length + 3 }, by: 'fin' },
    { do: 'delay', of: 'event', ms: 1 },
  ]);
  const { consumer, got } = await edge.answering(ask, stream);
  expect(await consumer.over).toBe('fin');
  expect(got()).toBe(`${head}${chunk(one)}${two.length.toString(16)}\r\n${two.slice(0, 3)}`);
  await edge.untilFelt(2);
});

test('an answer of the tap can be delayed and cut as well', async () => {
  const clock = createHandClock();
  edge = await disturbedEdge(
    [
      { do: 'delay', of: 'request', ms: 5 },
      { do: 'answer', status: 503, text: 'busy' },
      { do: 'delay', of: 'response', ms: 7 },
      { do: 'cut', at: { byte: 2 }, by: 'reset' },
    ],
    { clock },
  );
  const { consumer, provider } = await edge.answering(ask, stream);
  await eventually(() => edge.tap.stats().bytesWaiting === ask.length);
  clock.advance(5);
  await eventually(() => edge.tap.stats().bytesWaiting > ask.length);
  await manyTurns();
  expect(consumer.gotBytes).toBe(0);
  clock.advance(7);
  expect(await consumer.over).toBe('ECONNRESET');
  expect(consumer.got.toString()).toMatch(/^HTTP\/1.1 503 .*\r\n\r\nbu$/s);
  expect(provider.gotBytes).toBe(0);
  await edge.untilFelt(3);
  const felt = edge.felt().map(({ what }) => what);
  expect(felt).toContain('cut by reset after 2 bytes');
  expect(felt).toContain('delayed the request by 5 ms');
  expect(felt).toContain('delayed the response by 7 ms');
});
