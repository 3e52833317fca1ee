import { afterEach, expect, test } from 'vitest';
import { type DisturbedEdge, disturbedEdge, spokenTo } from '../../../test/taps/disturbed-edge.ts';
import { eventually, manyTurns } from '../../../test/taps/eventually.ts';
import { http, jsonAnswer, post, watchedEdge } from '../../../test/taps/watched-edge.ts';
import { fitsStars } from '../../kernel/fits-stars.ts';
import type { ExchangeRule } from './exchange-rule.ts';

let edge: DisturbedEdge;
afterEach(() => edge?.close());

const busy = { do: 'answer', status: 503 } as const;
const rpc = (id: number, method: string) => post('/mcp', { jsonrpc: '2.0', id, method, params: {} });

/** The status that each request gets; each on a connection of its own, one after the other. */
async function statuses(rules: readonly ExchangeRule[], requests: readonly Uint8Array[]): Promise<number[]> {
  edge = await disturbedEdge(rules);
  const got: number[] = [];
  for (const request of requests) {
    const { consumer } = await edge.answering(request, jsonAnswer('fine'));
    await eventually(() => consumer.got.toString().includes('\r\n\r\n'));
    got.push(Number(consumer.got.toString().slice(9, 12)));
    consumer.socket.destroy();
  }
  return got;
}

test('a crossing counts what the rule is about, over all connections', async () => {
  const rules = [
    { name: 'a', crossing: [1, 3], where: { path: '/a*' }, fault: busy },
    { name: 'b', crossing: 2, where: { method: 'post' }, fault: { ...busy, status: 502 } },
  ];
  const requests = ['/a', '/b', '/a/2?x=/b', '/ab', '/a'].map((path) => http(`GET ${path} HTTP/1.1`));
  expect(await statuses(rules, [post('/b', 1), ...requests, post('/c', 2)])).toEqual([
    200, 503, 200, 200, 503, 200, 502,
  ]);
  await edge.untilFelt(3);
  const felt = edge.felt().toSorted((one, other) => one.crossing - other.crossing);
  expect(felt.map(({ disturbance, crossing }) => [disturbance, crossing])).toEqual([
    ['a', 2],
    ['a', 5],
    ['b', 7],
  ]);
});

test('a method of JSON-RPC is read in the body, of a batch too', async () => {
  const rules = [{ name: 'a', where: { rpc: 'tools/call' }, fault: busy }];
  const batch = post('/mcp', [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call' },
  ]);
  const requests = [
    rpc(1, 'tools/list'),
    rpc(2, 'tools/call'),
    batch,
    post('/mcp', { method: 'tools/call' }),
  ];
  expect(await statuses(rules, requests)).toEqual([200, 503, 503, 200]);
});

test('a body that is too large is judged by its beginning, and passes whole', async () => {
  const rules = [
    { name: 'a', where: { rpc: 'tools/call' }, fault: { do: 'delay', of: 'response', ms: 1 } } as const,
  ];
  edge = await disturbedEdge(rules);
  const large = post('/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { text: 'é'.repeat(1024 * 1024) },
  });
  const { consumer, provider } = await edge.join();
  consumer.socket.write(large);
  await eventually(() => provider.gotBytes === large.length);
  expect(provider.got.equals(large)).toBe(true);
  provider.socket.write(jsonAnswer(1));
  await spokenTo(consumer, provider).until(jsonAnswer(1).toString());
  expect(await edge.untilFelt(1)).toHaveLength(1);
});

test('a request that comes byte by byte is kept until it is known, and its end with it', async () => {
  edge = await disturbedEdge([{ name: 'a', where: { rpc: 'x' }, fault: busy }]);
  const { consumer, provider } = await edge.join();
  const request = rpc(1, 'ping');
  for (const byte of request.subarray(0, -1)) consumer.socket.write(Buffer.of(byte));
  await manyTurns();
  expect(provider.gotBytes).toBe(0);
  consumer.socket.end();
  expect(await provider.over).toBe('fin');
  expect(provider.got.equals(request.subarray(0, -1))).toBe(true);
});

test('a consumer that waits for 100 Continue is not kept waiting', async () => {
  edge = await disturbedEdge([{ name: 'a', where: { rpc: 'ping' }, fault: busy }]);
  const { consumer, provider } = await edge.join();
  const head = 'POST /mcp HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n';
  consumer.socket.write(head);
  await eventually(() => provider.got.toString() === head);
  provider.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
  await spokenTo(consumer, provider).until('HTTP/1.1 100 Continue\r\n\r\n');
});

test('rules without anything to look at are refused, and none are not', async () => {
  const unobservable = await watchedEdge({ watch: undefined } as object);
  await unobservable.tap.disturbExchanges([]);
  await expect(unobservable.tap.disturbExchanges([{ name: 'a', fault: busy }])).rejects.toThrow(
    'does not look for exchanges of HTTP',
  );
  await unobservable.tap.close();
  await unobservable.tap.disturbExchanges([]);
  await unobservable.close();
});

test.each([
  ['/v1/*', '/v1/', true],
  ['/v1/*', '/v1', false],
  ['*', '', true],
  ['/a*b*c', '/a-b-bc', true],
  ['/a*b*c', '/a-c-b', false],
  ['/ab*ba', '/aba', false],
  ['/a.b', '/axb', false],
  ['**x', '/y/x', true],
  ['/a\\*b*', '/a*bc', true],
  ['/a\\*b', '/axb', false],
  ['/a\\\\*', '/a\\b', true],
  ['/a\\b', '/a\\b', true],
])('%s fits %s: %s', (pattern, path, fits) => expect(fitsStars(pattern, path)).toBe(fits));

test('rules that go while a request is half there leave it whole', async () => {
  edge = await disturbedEdge([{ name: 'a', where: { path: '/other' }, fault: busy }]);
  const { consumer, provider } = await edge.join();
  const [one, two] = [http('GET /1 HTTP/1.1'), http('GET /2 HTTP/1.1', { long: 'x'.repeat(100) })];
  consumer.socket.write(one);
  await eventually(() => provider.gotBytes === one.length);
  await edge.tap.disturbExchanges([]);
  const answer = jsonAnswer(1);
  provider.socket.write(answer.subarray(0, 5));
  await manyTurns(20);
  provider.socket.write(answer.subarray(5));
  await eventually(() => consumer.gotBytes === answer.length);
  for (const byte of two) {
    consumer.socket.write(Buffer.of(byte));
    await manyTurns(1);
  }
  await eventually(() => provider.gotBytes === one.length + two.length);
  expect(provider.got.equals(Buffer.concat([one, two]))).toBe(true);
  expect((await edge.untilCalls(1)).map(({ incomplete }) => incomplete)).toEqual([undefined]);
});

test('a request that is half there when rules come is left alone, and the next one is not', async () => {
  edge = await disturbedEdge([]);
  const { consumer, provider } = await edge.join();
  const { until } = spokenTo(consumer, provider);
  const ask = post('/', { a: 1 });
  consumer.socket.write(ask.subarray(0, -4));
  await eventually(() => provider.gotBytes > 0);
  await edge.tap.disturbExchanges([{ name: 'a', fault: busy }]);
  consumer.socket.write(ask.subarray(-4));
  await eventually(() => provider.got.equals(ask));
  provider.socket.write(jsonAnswer(1));
  await until(jsonAnswer(1).toString());
  consumer.socket.write(ask);
  await until(`${jsonAnswer(1)}HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n`);
  await edge.untilFelt(1);
  expect(edge.felt()).toMatchObject([{ crossing: 2 }]);
});

test('pipelined requests on a connection whose rules are gone pass whole, however they are cut', async () => {
  const [one, two] = [http('GET /1 HTTP/1.1'), http('GET /2 HTTP/1.1')];
  const both = Buffer.concat([one, two]);
  for (let at = 1; at < both.length; at += 5) {
    edge = await disturbedEdge([{ name: 'a', crossing: 1, fault: { ...busy } }]);
    const { consumer, provider } = await edge.join();
    consumer.socket.write(both.subarray(0, at));
    await manyTurns(10);
    await edge.tap.disturbExchanges([]);
    consumer.socket.write(both.subarray(at));
    const wanted = at < one.length ? both.length : two.length;
    await eventually(() => provider.gotBytes === wanted);
    expect(both.subarray(-wanted).equals(provider.got)).toBe(true);
    await edge.close();
  }
});
