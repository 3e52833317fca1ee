import { afterEach, describe, expect, test } from 'vitest';
import {
  type DisturbedEdge,
  disturbedEdge,
  event,
  eventStream,
  spokenTo,
} from '../../../../test/taps/disturbed-edge.ts';
import { eventually, manyTurns } from '../../../../test/taps/eventually.ts';
import { http, post } from '../../../../test/taps/watched-edge.ts';
import { createRandom } from '../../../kernel/random.ts';
import type { ExchangeFault, ExchangeRule } from '../exchange-rule.ts';
import { passEdit } from './pass.ts';

let edge: DisturbedEdge;
afterEach(() => edge.close());

const deeds: readonly ExchangeFault[] = [
  { do: 'delay', of: 'request', ms: 1 },
  { do: 'delay', of: 'response', ms: 1 },
  { do: 'delay', of: 'event', ms: 1 },
  { do: 'cut', at: { event: 2 }, by: 'fin' },
  { do: 'cut', at: { byte: 30 }, by: 'reset' },
  { do: 'hold', at: { event: 2 }, ms: 1 },
  { do: 'hold', at: { head: true } },
  { do: 'answer', status: 503, json: { error: 'busy' } },
  { do: 'answer', status: 503, text: 'busy', forward: true },
  { do: 'answer', status: 200, events: [{ data: { jsonrpc: '2.0', id: 7, result: 1 } }], keepsId: true },
  { do: 'answer', status: 200, events: [{ event: 'a', data: 'b' }], forward: true },
  { do: 'duplicate', what: 'request' },
  { do: 'duplicate', what: 'event', event: 2 },
  { do: 'drop', event: 2 },
  { do: 'reorder', events: [1, 2] },
  { do: 'shape', shape: 'S05' },
  { do: 'wrong' },
];

const ask = post('/v1/chat/completions', { model: 'm', stream: true, messages: [] });
const says = (delta: object, finish: string | null = null) =>
  event({ id: 'a', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] });
const stream = eventStream([
  says({ role: 'assistant', content: '' }),
  says({ content: 'Hello' }),
  says({}, 'stop'),
  event('[DONE]'),
]);

async function underRules(rules: readonly Omit<ExchangeRule, 'name'>[]): Promise<DisturbedEdge> {
  return disturbedEdge(
    rules.map((rule) => ({ name: 'it', ...rule })),
    { random: createRandom('every') },
  );
}

/** Sends a request; answers it, and answers any copy of it. */
async function exchange({ consumer, provider }: Talk, answer = stream): Promise<void> {
  const before = provider.gotBytes;
  const again = edge.nextAtProvider().then(({ socket }) => socket.end(answer));
  void again.catch(() => undefined); // no other provider was asked
  consumer.socket.write(ask);
  await Promise.race([
    eventually(() => provider.gotBytes === before + ask.length).then(() => provider.socket.write(answer)),
    eventually(() => edge.felt().length > 0),
  ]);
}

type Talk = Awaited<ReturnType<DisturbedEdge['join']>>;

describe.each(deeds.map((fault) => [JSON.stringify(fault), fault] as const))('%s', (_, fault) => {
  test('is done to the exchange that it names, on an open connection, and felt once', async () => {
    edge = await underRules([]);
    const talk = await edge.join();
    const { until } = spokenTo(talk.consumer, talk.provider);
    await exchange(talk);
    await until(stream);
    await edge.tap.disturbExchanges([{ name: 'it', crossing: 2, fault }]);
    await exchange(talk);
    await until(stream + stream);
    await exchange(talk);
    await edge.untilFelt(1);
    await manyTurns();
    expect(edge.felt()).toMatchObject([
      { disturbance: 'it', from: 'app', to: 'store', crossing: 3, connection: 1 },
    ]);
    expect(talk.provider.got.subarray(0, 2 * ask.length).equals(Buffer.concat([ask, ask]))).toBe(true);
  });

  test('leaves alone what `where` does not select, and what was in progress', async () => {
    edge = await underRules([]);
    const talk = await edge.join();
    const { until } = spokenTo(talk.consumer, talk.provider);
    talk.consumer.socket.write(ask);
    await eventually(() => talk.provider.gotBytes === ask.length);
    await edge.tap.disturbExchanges([
      { name: 'it', where: { path: '/v1/*/completions', method: 'put' }, fault },
    ]);
    talk.provider.socket.write(stream);
    await until(stream);
    await exchange(talk);
    await until(stream + stream);
    await edge.tap.disturbExchanges([{ name: 'it', fault }]);
    await edge.tap.disturbExchanges([]);
    await exchange(talk);
    await until(stream + stream + stream);
    expect(edge.felt()).toEqual([]);
    expect(edge.calls()).toHaveLength(3);
  });

  test('is not felt by a consumer that had hung up, which is passed on', async () => {
    edge = await underRules([{ fault }]);
    const { consumer, provider } = await edge.join();
    consumer.socket.write(ask.subarray(0, ask.length - 1));
    await manyTurns(20);
    consumer.socket.resetAndDestroy();
    expect(await provider.over).toBe('ECONNRESET');
    await eventually(() => edge.ends().length === 1);
    await manyTurns();
    expect(edge.felt()).toEqual([]);
    expect(edge.tap.stats()).toMatchObject({ open: 0, callsInFlight: 0, bytesWaiting: 0 });
  });

  test('passes on a consumer that hangs up in the middle of a stream', async () => {
    edge = await underRules([{ fault }]);
    const { consumer, provider } = await edge.join();
    consumer.socket.write(ask);
    await Promise.race([eventually(() => provider.gotBytes === ask.length), edge.untilFelt(1)]);
    provider.socket.write(stream.slice(0, 150));
    await manyTurns(20);
    consumer.socket.destroy();
    expect(['fin', 'ECONNRESET']).toContain(await provider.over);
    provider.socket.end();
    await eventually(() => edge.ends().length === 1);
    expect(edge.tap.stats()).toMatchObject({ open: 0, callsInFlight: 0, bytesWaiting: 0 });
  });

  test('tolerates a provider that breaks off in the middle', async () => {
    edge = await underRules([{ fault }]);
    const { consumer, provider } = await edge.join();
    consumer.socket.write(ask);
    provider.socket.once('data', () => {
      provider.socket.write(stream.slice(0, 100));
      provider.socket.end();
    });
    await Promise.race([consumer.over, edge.untilFelt(1)]);
    await edge.tap.disturbExchanges([]);
    consumer.socket.end();
    provider.socket.end();
    await eventually(() => edge.ends().length === 1);
    expect(edge.tap.stats()).toMatchObject({ open: 0, callsInFlight: 0, bytesWaiting: 0 });
  });
});

test('the example changes nothing', () => {
  const { request, response } = passEdit();
  const raw = http('GET / HTTP/1.1');
  const part = { is: 'body', raw } as const;
  expect([request?.(part), response?.(part)]).toEqual([[part], [part]]);
});

test('a consumer that closes right after its answer has met the fault', async () => {
  for (let times = 0; times < 20; times += 1) {
    edge = await underRules([{ fault: { do: 'answer', status: 503, text: 'busy' } }]);
    const { consumer, provider } = await edge.join();
    consumer.socket.once('data', () => consumer.socket.end());
    provider.socket.once('end', () => provider.socket.end());
    consumer.socket.write(ask);
    await eventually(() => edge.ends().length === 1);
    expect(edge.ends()).toEqual(['closed']);
    await edge.untilFelt(1);
    await edge.close();
  }
});
