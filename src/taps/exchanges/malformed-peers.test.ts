import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from 'vitest';
import { type DisturbedEdge, disturbedEdge, event } from '../../../test/taps/disturbed-edge.ts';
import { eventually, manyTurns } from '../../../test/taps/eventually.ts';
import { sendSteadily } from '../../../test/taps/send-steadily.ts';
import { chunk, eventsHead, http, jsonAnswer, post } from '../../../test/taps/watched-edge.ts';
import type { ExchangeFault } from './exchange-rule.ts';

let edge: DisturbedEdge;
afterEach(() => edge.close());

setFlagsFromString('--expose-gc');
const sweep = runInNewContext('gc') as () => void;

const mb = 1024 * 1024;
const ask = post('/v1/chat/completions', { model: 'm', stream: true });

const deeds: readonly (ExchangeFault | undefined)[] = [
  undefined,
  { do: 'cut', at: { event: 50_000_000 }, by: 'fin' },
  { do: 'hold', at: { inside: 'nowhere' } },
  { do: 'delay', of: 'event', ms: 0 },
  { do: 'drop', event: 50_000_000 },
  { do: 'reorder', events: [1, 50_000_000] },
  { do: 'shape', shape: 'S05' },
  { do: 'answer', status: 503, forward: true },
];

const under = (fault: ExchangeFault | undefined): Promise<DisturbedEdge> =>
  disturbedEdge(fault === undefined ? [] : fault);

describe.each(
  deeds.map((fault) => [fault === undefined ? 'no rule' : JSON.stringify(fault), fault] as const),
)('under %s', (_, fault) => {
  test.each([
    ['junk', 'junk junk junk\r\n\r\n'],
    ['half a status line', 'HTTP/1.1 2'],
    ['a head without an end', `HTTP/1.1 200 OK\r\nbig: ${'x'.repeat(mb)}`],
    ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nbody'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nbody'],
    ['an invalid chunk size', `${eventsHead}-5\r\nbody`],
    ['a chunk that is larger than it says', `${eventsHead}2\r\nbody\r\n0\r\n\r\n`],
    ['half a character', `${eventsHead}${chunk(`${event('a')}data: `)}2\r\n\u00c3`],
    ['two responses', `${jsonAnswer(1)}${jsonAnswer(2)}`],
    ['an upgrade without a request for it', 'HTTP/1.1 101 Now\r\n\r\n\u0000\u0001\u0002'],
    ['deep nesting', `${eventsHead}${chunk(event(`${'['.repeat(50_000)}${']'.repeat(50_000)}`))}`],
  ])('a provider that says %s breaks nothing', async (_, answer) => {
    edge = await under(fault);
    const { consumer, provider } = await edge.answering(ask, Buffer.from(answer, 'latin1'));
    await eventually(() => provider.gotBytes > 0);
    await manyTurns(20);
    provider.socket.end();
    await consumer.over;
    consumer.socket.end();
    await eventually(() => edge.ends().length === 1);
    expect(edge.tap.stats()).toMatchObject({ open: 0, callsInFlight: 0, bytesWaiting: 0 });
    if (fault === undefined) expect(consumer.got.toString('latin1')).toBe(answer);
  });

  test.each([
    ['junk', 'junk junk junk\r\n\r\n'],
    ['a head without an end', `GET / HTTP/1.1\r\nbig: ${'x'.repeat(mb)}`],
    ['a negative length', 'POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\nbody'],
    ['junk after a request', `${http('GET / HTTP/1.1')}junk junk\r\n`],
    ['half a body', 'POST / HTTP/1.1\r\ncontent-length: 100\r\n\r\nhalf'],
  ])('a consumer that says %s breaks nothing, and is forwarded as it is', async (_, request) => {
    edge = await under(fault);
    const { consumer, provider } = await edge.join();
    consumer.socket.end(request);
    expect(await provider.over).toBe('fin');
    expect(provider.got.toString()).toBe(request);
    provider.socket.end(http('HTTP/1.1 400 Bad Request'));
    expect(await consumer.over).toBe('fin');
    await eventually(() => edge.ends().length === 1);
    expect(edge.tap.stats()).toMatchObject({ open: 0, callsInFlight: 0, bytesWaiting: 0 });
  });
});

describe.each([undefined, { do: 'drop', event: 50_000_000 }, { do: 'shape', shape: 'S05' }] as const)(
  'without a bound, under %j',
  (fault) => {
    test.each([
      ['a line of 100 MB', 100, 48, Buffer.concat([Buffer.from('data: '), Buffer.alloc(100_003, 'x')])],
      ['heartbeats without an end', 4, 3, Buffer.from(': ping\n\n'.repeat(10_000))],
      ['fields without an end', 16, 10, Buffer.from('event: x\nid: 1\n'.repeat(5_000))],
    ])('%s: memory stays bounded', async (_, size, most, piece) => {
      edge = await under(fault);
      const { consumer, provider } = await edge.join();
      consumer.socket.removeAllListeners('data').resume();
      consumer.socket.write(ask);
      await eventually(() => provider.gotBytes === ask.length);
      const before = memory();
      const total = size * mb;
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length:';
      provider.socket.write(`${head} ${total + 4}\r\n\r\n`);
      const sending = sendSteadily(provider.socket, total, piece);
      await eventually(() => sending.takenBytes === total);
      const mostKept = fault?.do === 'shape' ? Math.max(most, 14) : most;
      await eventually(() => memory() - before < mostKept * mb);
      provider.socket.write('last');
      const [call] = await edge.untilCalls(1);
      expect(call?.response?.bytes).toBe(total + 4);
    });
  },
);

/** What is held, without what only waits to be swept up. */
function memory(): number {
  sweep();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
