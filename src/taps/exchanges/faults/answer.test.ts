import { afterEach, describe, expect, test } from 'vitest';
import { type DisturbedEdge, disturbedEdge, spokenTo } from '../../../../test/taps/disturbed-edge.ts';
import { eventually, manyTurns } from '../../../../test/taps/eventually.ts';
import { http, jsonAnswer, post } from '../../../../test/taps/watched-edge.ts';
import type { ExchangeFault } from '../exchange-rule.ts';

let edge: DisturbedEdge;
afterEach(() => edge.close());

const ask = post('/v1/things', { a: 1 });
const busy: ExchangeFault = {
  do: 'answer',
  status: 429,
  headers: { 'Retry-After': '1' },
  json: { error: 'slow down' },
};
const busyText =
  'HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nRetry-After: 1\r\ncontent-length: 21\r\n\r\n{"error":"slow down"}';

test('instead of the provider, which receives nothing; then the connection goes on', async () => {
  edge = await disturbedEdge([{ name: 'busy', crossing: 1, fault: busy }]);
  const { consumer, provider } = await edge.join();
  const { until, got } = spokenTo(consumer, provider);
  consumer.socket.write(ask);
  await until(busyText);
  expect(await edge.untilFelt(1)).toEqual(['answered 429 instead of the provider']);
  expect(provider.gotBytes).toBe(0);
  expect(await edge.untilCalls(1)).toMatchObject([
    {
      crossing: 1,
      path: '/v1/things',
      request: { json: { a: 1 } },
      response: { status: 429, headers: { 'retry-after': '1' }, json: { error: 'slow down' } },
    },
  ]);
  consumer.socket.write(ask);
  await eventually(() => provider.got.equals(ask));
  const ok = jsonAnswer({ ok: true });
  provider.socket.write(ok);
  await eventually(() => got() === busyText + ok.toString());
  expect(edge.felt()).toHaveLength(1);
  expect(edge.tap.stats()).toMatchObject({ callsInFlight: 0, bytesWaiting: 0, bytesSent: ask.length });
});

test('after the provider was asked, and has answered', async () => {
  edge = await disturbedEdge({ ...busy, forward: true } as ExchangeFault);
  const { consumer, provider } = await edge.join();
  const { until } = spokenTo(consumer, provider);
  consumer.socket.write(ask);
  await eventually(() => provider.got.equals(ask));
  await manyTurns();
  expect(consumer.gotBytes).toBe(0);
  provider.socket.write(jsonAnswer({ ok: 'x'.repeat(10_000) }));
  await until(busyText);
  expect(await edge.untilFelt(1)).toEqual(['answered 429 instead of the provider, which was asked']);
});

describe('forms', () => {
  test.each<[string, ExchangeFault, Uint8Array, string]>([
    [
      'a text',
      { do: 'answer', status: 500, text: 'é' },
      ask,
      'HTTP/1.1 500 Internal Server Error\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 2\r\n\r\né',
    ],
    [
      'a type of its own',
      { do: 'answer', status: 502, headers: { 'Content-Type': 'text/html' }, text: '<p>' },
      ask,
      'HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\ncontent-length: 3\r\n\r\n<p>',
    ],
    [
      'nothing',
      { do: 'answer', status: 503 },
      ask,
      'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n',
    ],
    [
      'no content',
      { do: 'answer', status: 204, text: 'x' },
      ask,
      'HTTP/1.1 204 No Content\r\ncontent-type: text/plain; charset=utf-8\r\n\r\n',
    ],
    [
      'to a HEAD',
      { do: 'answer', status: 200, text: 'four' },
      http('HEAD / HTTP/1.1'),
      'HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 4\r\n\r\n',
    ],
    [
      'lengths are correct, whatever the headers say',
      { do: 'answer', status: 200, headers: { 'content-length': '9', 'x-line': 'a\r\nb: c' }, text: 'four' },
      ask,
      'HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\nx-line: a b: c\r\ncontent-length: 4\r\n\r\nfour',
    ],
  ])('%s', async (_, fault, request, expected) => {
    edge = await disturbedEdge(fault);
    const { consumer, provider } = await edge.join();
    consumer.socket.write(request);
    await spokenTo(consumer, provider).until(expected);
    expect(await edge.untilFelt(1)).toHaveLength(1);
    expect(await edge.untilCalls(1)).toHaveLength(1);
    expect(consumer.heard).toBeUndefined();
  });

  test.each([
    ['HTTP/1.0', http('GET / HTTP/1.0')],
    ['a request that asks for it', http('GET / HTTP/1.1', { connection: 'close' })],
  ])('the connection ends after the answer to %s', async (_, request) => {
    edge = await disturbedEdge({ do: 'answer', status: 503, text: 'no' });
    const { consumer, provider } = await edge.join();
    consumer.socket.write(request);
    expect(await consumer.over).toBe('fin');
    expect(consumer.got.toString()).toMatch(/connection: close\r\n\r\nno$/);
    expect(await provider.over).toBe('fin');
    expect(await edge.untilFelt(1)).toHaveLength(1);
  });
});

test('a consumer that waits for 100 Continue gets it', async () => {
  edge = await disturbedEdge({ do: 'answer', status: 413 });
  const { consumer, provider } = await edge.join();
  const { until } = spokenTo(consumer, provider);
  consumer.socket.write('PUT / HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 4\r\n\r\n');
  await until('HTTP/1.1 100 Continue\r\n\r\n');
  consumer.socket.write('four');
  await until('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 413 Payload Too Large\r\ncontent-length: 0\r\n\r\n');
  expect(provider.gotBytes).toBe(0);
});

test('pipelined requests are answered in their order, whichever side answers', async () => {
  edge = await disturbedEdge([{ name: 'second', crossing: 2, fault: { do: 'answer', status: 503 } }]);
  const { consumer, provider } = await edge.join();
  const [one, two, three] = ['/1', '/2', '/3'].map((path) => http(`GET ${path} HTTP/1.1`)) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  consumer.socket.write(Buffer.concat([one, two, three]));
  await eventually(() => provider.got.equals(Buffer.concat([one, three])));
  await manyTurns();
  expect(consumer.gotBytes).toBe(0);
  const [first, third] = [jsonAnswer(1), jsonAnswer(3)];
  provider.socket.write(Buffer.concat([first, third]));
  const instead = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n';
  await spokenTo(consumer, provider).until(`${first}${instead}${third}`);
  const edited = (await edge.untilCalls(3)).map(({ path, response }) => [path, response?.status]);
  expect(edited).toEqual([
    ['/1', 200],
    ['/2', 503],
    ['/3', 200],
  ]);
  await edge.untilFelt(1);
  expect(edge.felt()).toMatchObject([{ disturbance: 'second', crossing: 2 }]);
});

describe('as it was given to another consumer', () => {
  const rpc = { jsonrpc: '2.0', id: 'theirs', result: { notes: ['of another'] } };
  const call = post('/mcp', { jsonrpc: '2.0', id: 12, method: 'tools/call', params: { name: 'list' } });
  const real = jsonAnswer({ jsonrpc: '2.0', id: 12, result: { notes: ['mine'] } }, 200);

  test('with the id of this request', async () => {
    edge = await disturbedEdge({ do: 'answer', status: 200, json: rpc, keepsId: true, forward: true });
    const { consumer } = await edge.answering(call, real);
    expect(await edge.untilFelt(1)).toEqual(['answered 200 instead of the provider, which was asked']);
    expect(bodyIn(consumer.got)).toBe('{"jsonrpc":"2.0","id":12,"result":{"notes":["of another"]}}');
  });

  test('in a stream, where only answers have an id', async () => {
    const events = [
      { event: 'message', id: '1', data: { jsonrpc: '2.0', method: 'x', id: 3 } },
      { data: rpc },
    ];
    edge = await disturbedEdge({ do: 'answer', status: 200, events, keepsId: true, forward: true });
    const { got } = await edge.answering(call, real);
    await edge.untilFelt(1);
    expect(got()).toContain('content-type: text/event-stream');
    expect(got()).toContain('event: message\nid: 1\ndata: {"jsonrpc":"2.0","method":"x","id":3}\n\n');
    expect(got()).toContain('data: {"jsonrpc":"2.0","id":12,"result":{"notes":["of another"]}}\n\n');
  });

  test('in the session that the provider gave', async () => {
    const opened = http(
      'HTTP/1.1 200 OK',
      { 'content-type': 'application/json', 'mcp-session-id': 'mine' },
      '{"jsonrpc":"2.0","id":12,"result":{}}',
    );
    edge = await disturbedEdge({ do: 'answer', status: 200, json: rpc, keepsId: true, forward: true });
    const { got } = await edge.answering(call, opened);
    await edge.untilFelt(1);
    expect(got()).toContain('mcp-session-id: mine');
  });

  test('what is not a JSON-RPC answer, or answers a request that is not JSON-RPC, stays as it is', async () => {
    edge = await disturbedEdge({
      do: 'answer',
      status: 200,
      json: { id: 4, a: 1 },
      keepsId: true,
      forward: true,
    });
    const { consumer } = await edge.answering(call, real);
    await edge.untilFelt(1);
    expect(bodyIn(consumer.got)).toBe('{"id":4,"a":1}');
    await edge.close();
    edge = await disturbedEdge({ do: 'answer', status: 200, json: rpc, keepsId: true, forward: true });
    const other = await edge.answering(ask, real);
    await edge.untilFelt(1);
    expect(bodyIn(other.consumer.got)).toContain('"id":"theirs"');
  });

  test('a stream that a GET has opened is answered when its head is there', async () => {
    edge = await disturbedEdge({ do: 'answer', status: 200, text: 'junk', forward: true });
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
    const { consumer, provider } = await edge.answering(http('GET /sse HTTP/1.1', {}), head);
    await edge.untilFelt(1);
    expect(bodyIn(consumer.got)).toBe('junk');
    provider.socket.write('6\r\ndata: \r\n');
    provider.socket.end('0\r\n\r\n');
    await manyTurns();
    expect(bodyIn(consumer.got)).toBe('junk');
  });
});

function bodyIn(got: Buffer): string {
  return got.toString('utf8').split('\r\n\r\n').slice(1).join('\r\n\r\n');
}
