import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type DisturbedEdge,
  disturbedEdge,
  event,
  eventStream,
} from '../../../../test/taps/disturbed-edge.ts';
import { eventually, manyTurns } from '../../../../test/taps/eventually.ts';
import { chunk, eventsHead, http, jsonAnswer, lastChunk } from '../../../../test/taps/watched-edge.ts';
import type { ExchangeFault } from '../exchange-rule.ts';

let edge: DisturbedEdge;
afterEach(() => edge.close());

const ask = http('GET / HTTP/1.1');
const [one, two, three, four] = ['one', 'two', 'three', 'four'].map(event) as [
  string,
  string,
  string,
  string,
];
const ping = ': ping\n\n';
const all = [one, ping, two, three, four];

const drop = (n: number): ExchangeFault => ({ do: 'drop', event: n });
const double = (n: number): ExchangeFault => ({ do: 'duplicate', what: 'event', event: n });
const swap = (a: number, b: number): ExchangeFault => ({ do: 'reorder', events: [a, b] });

describe('in chunks', () => {
  test.each<[string, ExchangeFault, string[], string]>([
    ['one is dropped', drop(2), [one, ping, three, four], 'dropped event 2'],
    ['the last is dropped', drop(4), [one, ping, two, three], 'dropped event 4'],
    ['one comes twice', double(2), [one, ping, two + two, three, four], 'sent event 2 twice'],
    ['neighbours are swapped', swap(2, 3), [one, ping, three + two, four], 'events 2 and 3 were swapped'],
    [
      'in whichever order they are named',
      swap(3, 2),
      [one, ping, three + two, four],
      'events 2 and 3 were swapped',
    ],
    ['those between stay', swap(1, 4), [four + ping + two + three + one], 'events 1 and 4 were swapped'],
  ])('%s', async (_, fault, expected, what) => {
    edge = await disturbedEdge(fault);
    const { until, consumer } = await edge.answering(ask, eventStream(all));
    const body = expected.map(chunk).join('');
    await until(`${head('transfer-encoding: chunked')}${body}${lastChunk}`);
    expect(await edge.untilFelt(1)).toEqual([what]);
    const data = [...expected.join('').matchAll(/data: (\w+)/g)].map(([, word]) => ({ data: word }));
    expect(await edge.untilCalls(1)).toMatchObject([{ crossing: 1, response: { events: data } }]);
    expect(consumer.heard).toBeUndefined();
  });
});

test('a consumer that leaves because of what it got has felt it, though more was on its way', async () => {
  edge = await disturbedEdge(drop(1));
  for (let round = 1; round <= 20; round += 1) {
    const { consumer, provider } = await edge.join();
    consumer.socket.write(ask);
    await eventually(() => provider.gotBytes === ask.length);
    consumer.socket.on('data', (got) => got.includes('three') && consumer.socket.destroy());
    provider.socket.write(`${eventsHead}${[one, two, three].map(chunk).join('')}`);
    while (provider.socket.writable && !provider.socket.readableEnded) {
      provider.socket.write(chunk(event('more')));
      await manyTurns(1);
    }
    await edge.untilFelt(round);
  }
});

test('a body with a length comes in chunks', async () => {
  edge = await disturbedEdge(drop(1));
  const { until } = await edge.answering(
    ask,
    http('HTTP/1.1 200 Fine', { 'Content-Type': 'text/event-stream', 'X-Kept': 'yes' }, one + two),
  );
  await until(
    `HTTP/1.1 200 Fine\r\nContent-Type: text/event-stream\r\nX-Kept: yes\r\ntransfer-encoding: chunked\r\n\r\n${chunk(two)}${lastChunk}`,
  );
});

test.each([
  ['a consumer of HTTP/1.0', 'HTTP/1.0', 'HTTP/1.1'],
  ['a provider of HTTP/1.0', 'HTTP/1.1', 'HTTP/1.0'],
])('for %s the body lasts until the connection ends', async (_, asks, answers) => {
  edge = await disturbedEdge(double(1));
  const answer = `${answers} 200 OK\r\nconnection: keep-alive\r\ncontent-type: text/event-stream\r\ncontent-length: ${one.length}\r\n\r\n${one}`;
  const { consumer, got } = await edge.answering(http(`GET / ${asks}`, { connection: 'keep-alive' }), answer);
  expect(await consumer.over).toBe('fin');
  expect(got()).toBe(
    `${answers} 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n${one}${one}`,
  );
  expect(await edge.untilFelt(1)).toEqual(['sent event 1 twice']);
});

test('a body until the end of the connection, and that end', async () => {
  edge = await disturbedEdge(drop(1));
  const { consumer, provider, got } = await edge.answering(
    ask,
    `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${one}${two}data: unfin`,
  );
  await edge.untilFelt(1);
  provider.socket.end('ished');
  expect(await consumer.over).toBe('fin');
  expect(got()).toBe(
    `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${chunk(two)}${chunk('data: unfinished')}${lastChunk}`,
  );
});

test('line ends of every kind, cut anywhere, are the same events', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const raw = (word: string) => `event: x${end}data: ${word}${end}${end}`;
    for (let at = 1; at < raw('b').length; at += 1) {
      const [before, after] = [raw('b').slice(0, at), raw('b').slice(at)];
      edge = await disturbedEdge(drop(2));
      const { consumer, provider } = await edge.answering(ask, eventsHead + chunk(raw('a') + before));
      await manyTurns(5);
      provider.socket.write(chunk(after + raw('c')) + lastChunk);
      const [call] = await edge.untilCalls(1);
      expect(call?.response?.events).toMatchObject([{ data: 'a' }, { data: 'c' }]);
      expect(consumer.got.toString()).not.toContain('data: b');
      await edge.close();
    }
  }
});

const zipped = gzipSync(one + two);

test.each<[string, ExchangeFault, string | Uint8Array]>([
  ['a stream that has no such event', swap(1, 9), eventStream(all)],
  ['the same event twice', swap(2, 2), eventStream(all)],
  ['a body', drop(1), jsonAnswer({ a: 1 })],
  [
    'a compressed stream',
    drop(1),
    Buffer.concat([
      Buffer.from(
        `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\ncontent-length: ${zipped.length}\r\n\r\n`,
      ),
      zipped,
    ]),
  ],
])('%s is not felt, and nothing is lost', async (_, fault, answer) => {
  edge = await disturbedEdge(fault);
  const { consumer } = await edge.answering(ask, answer);
  const [call] = await edge.untilCalls(1);
  if (typeof answer === 'string') expect(call?.response?.events).toHaveLength(4);
  else await eventually(() => consumer.got.equals(answer));
  await manyTurns();
  expect(edge.felt()).toEqual([]);
});

test('an event without an end passes in bounded memory, and those after it are not counted', async () => {
  edge = await disturbedEdge(drop(2));
  const { consumer, provider, until } = await edge.answering(ask, eventsHead + chunk(`${one}data: `));
  await until(head('transfer-encoding: chunked') + chunk(one));
  const large = 'x'.repeat(64 * 1024);
  for (let sent = 0; sent < 48; sent += 1) provider.socket.write(chunk(large));
  provider.socket.write(`${chunk(`\n\n${two}`)}${lastChunk}`);
  await edge.untilCalls(1);
  await eventually(() => consumer.gotBytes > 48 * large.length);
  await eventually(() => consumer.got.toString().includes(two));
  expect(edge.felt()).toEqual([]);
});

function head(framing: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n${framing}\r\n\r\n`;
}
