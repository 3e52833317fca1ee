import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../../test/taps/eventually.ts';
import { http, jsonAnswer, type WatchedEdge, watchedEdge } from '../../../test/taps/watched-edge.ts';

let edge: WatchedEdge;
afterEach(() => edge.close());

test('each request of a connection gets the provider’s address, and nothing else of it changes', async () => {
  edge = await watchedEdge({ hostHeader: 'own' });
  const { consumer, provider } = await edge.join();
  const tap = `${edge.tap.host}:${edge.tap.port}`;
  const own = `127.0.0.1:${provider.socket.localPort}`;
  const answer = jsonAnswer({ ok: true });
  const ask = (origin: string): string =>
    `POST /a HTTP/1.1\r\nhost: ${tap}\r\nX-Odd:   é \r\norigin: ${origin}\r\ncontent-length: 2\r\n\r\nhi`;
  const origins = [`http://${tap}`, 'http://elsewhere', `http://${tap}`];
  for (const [index, origin] of origins.entries()) {
    consumer.socket.write(Buffer.from(ask(origin), 'latin1'));
    const asked = (): string => provider.got.toString('latin1');
    await eventually(() => asked().split('\r\n\r\nhi').length === index + 2);
    provider.socket.write(answer);
    await eventually(() => consumer.gotBytes === answer.length * (index + 1));
    const expected = ask(origin.replace(tap, own)).replace(`host: ${tap}`, `Host: ${own}`);
    expect(asked().endsWith(expected), asked()).toBe(true);
  }
  const calls = await edge.untilCalls(3);
  expect(calls.map(({ request }) => request.headers.host)).toEqual([own, own, own]);
  expect(calls.every((call) => !('faults' in call))).toBe(true);
});

test('by default it stays as it was sent', async () => {
  edge = await watchedEdge();
  const { consumer, provider } = await edge.join();
  const ask = http('GET / HTTP/1.1', { host: 'anything' });
  consumer.socket.write(ask);
  await eventually(() => provider.gotBytes === ask.length);
  expect(provider.got.equals(ask)).toBe(true);
});
