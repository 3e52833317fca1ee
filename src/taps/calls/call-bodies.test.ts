import { randomFillSync } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { http, type WatchedEdge, watchedEdge } from '../../../test/taps/watched-edge.ts';
import { notRead } from '../../kernel/not-kept.ts';

let edge: WatchedEdge;
afterEach(() => edge.close());

const kb = 1024;

const answered = async (type: string | undefined, body: string | Uint8Array, headers = {}) => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  await ask(http('GET / HTTP/1.1'));
  await answer(http('HTTP/1.1 200 OK', { ...(type ? { 'content-type': type } : {}), ...headers }, body));
  const [call] = await edge.untilCalls(1);
  const { headers: _, ...response } = call?.response ?? { headers: {} };
  return { ...response, incomplete: call?.incomplete };
};
const value = { note: 'é'.repeat(500) };
const text = JSON.stringify(value);
const bytesOf = (body: string | Uint8Array): number => Buffer.byteLength(body);

test.each<[string, string | undefined, string | Uint8Array, object]>([
  ['json', 'application/json; charset=utf-8', text, { json: value }],
  ['a dialect of json', 'application/problem+json', '{"a":1}', { json: { a: 1 } }],
  ['invalid JSON stays text', 'application/json', '{"a":', { text: '{"a":' }],
  [
    'json nested beyond reason stays text',
    'application/json',
    '['.repeat(9_000) + ']'.repeat(9_000),
    { text: '['.repeat(9_000) + ']'.repeat(9_000) },
  ],
  ['text', 'text/html', '<p>é', { text: '<p>é' }],
  ['text of another alphabet', 'text/plain; charset=iso-8859-1', Buffer.from('é', 'latin1'), { text: 'é' }],
  ['a form', 'application/x-www-form-urlencoded', 'a=1', { text: 'a=1' }],
  ['what is text without saying so', undefined, 'plain', { text: 'plain' }],
  ['what is text and says something else', 'application/pdf', 'plain', { text: 'plain' }],
  ['what is not text', 'image/png', Buffer.from([0x89, 0xff, 0]), {}],
  ['nothing', 'application/json', '', {}],
])('%s', async (_, type, body, expected) => {
  expect(await answered(type, body)).toEqual({
    status: 200,
    ...expected,
    bytes: bytesOf(body),
    incomplete: undefined,
  });
});

test.each([
  ['gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['zstd', zstdCompressSync(text)],
  ['UTF-8', Buffer.from(text)],
  ['br, GZIP', gzipSync(brotliCompressSync(text))],
])('compressed by %s', async (encoding, body) => {
  const response = await answered('application/json', body, { 'content-encoding': encoding });
  expect(response).toMatchObject({ json: value, bytes: body.length, incomplete: undefined });
});

test.each([
  ['an unknown coding', 'compress', Buffer.from('x')],
  ['a coding that it does not have', 'gzip', Buffer.from('plain')],
])('%s: bytes alone', async (_, encoding, body) => {
  const response = await answered('application/json', body, { 'content-encoding': encoding });
  expect(response).toEqual({ status: 200, bytes: body.length, incomplete: undefined });
});

test('what is too large is cut, and its bytes are true', async () => {
  const response = await answered('text/plain', 'é'.repeat(100 * kb));
  expect(response).toMatchObject({ bytes: 200 * kb, incomplete: 'too-large' });
  expect(response.text).toBe('é'.repeat(32 * kb));
});

test('a compressed body that is too large is cut, too', async () => {
  const body = gzipSync(randomFillSync(Buffer.alloc(90 * kb)).toString('base64'));
  const response = await answered('text/plain', body, { 'content-encoding': 'gzip' });
  expect(response).toMatchObject({ bytes: body.length, incomplete: 'too-large' });
  expect(response.text).toHaveLength(64 * kb);
});

test('a small body that unfolds to a huge one is not unfolded', async () => {
  const body = gzipSync(Buffer.alloc(16 * kb * kb));
  const response = await answered('text/plain', body, { 'content-encoding': 'gzip' });
  expect(response).toEqual({ status: 200, bytes: body.length, truncated: true, incomplete: 'too-large' });
});

test('events, with what they carry', async () => {
  const body = 'event: add\nid: 7\ndata: {"a":1}\n\ndata: [DONE]\n\n: ping\n\n';
  const events = [{ event: 'add', id: '7', data: { a: 1 } }, { data: '[DONE]' }];
  expect(await answered('text/event-stream', body)).toMatchObject({ events, bytes: body.length });
  await edge.close();
  expect(await answered('text/event-stream', gzipSync(body), { 'content-encoding': 'gzip' })).toMatchObject({
    events,
  });
});

test('events without an end, and such as cannot be read', async () => {
  const body = Buffer.from('data: {"a":1,"a":2}\n\ndata: caf\xe9\n\nevent: error\ndata: lost', 'latin1');
  expect(await answered('text/event-stream', body)).toEqual({
    status: 200,
    events: [
      { data: { $broken: '{"a":1,"a":2}' }, at: expect.any(Number) },
      { data: 'caf‹no-utf8›', at: expect.any(Number) },
    ],
    bytes: body.length,
    unfinished: true,
    incomplete: undefined,
  });
});

test('a call is identified by a body with a duplicate key, though that is not valid JSON', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  const twice = (rest: string): string => `{"jsonrpc":"2.0","id":1,${rest}}`;
  const head = (text: string): object => ({
    'content-type': 'application/json',
    'content-length': text.length,
  });
  const sent = twice('"method":"pay","params":{"a":1,"a":2}');
  const said = twice('"result":{"ok":false,"ok":true}');
  await ask(http('POST / HTTP/1.1', head(sent) as Record<string, string>, sent));
  await answer(http('HTTP/1.1 200 OK', head(said) as Record<string, string>, said));
  const [call] = await edge.untilCalls(1);
  expect(call).toMatchObject({
    protocol: 'json-rpc',
    method: 'pay',
    params: { a: 2 },
    result: { ok: true },
    request: { text: sent },
    response: { text: said },
  });
});

test('fields that come after a body in chunks', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  const chunks = 'transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n';
  await ask(`POST / HTTP/1.1\r\n${chunks}X-Sum: 7\r\n\r\n`);
  await answer(`HTTP/1.1 200 OK\r\n${chunks}Grpc-Status: 13\r\nx-error: caf\u00e9\r\n\r\n`);
  await ask(`POST / HTTP/1.1\r\n${chunks}\r\n`);
  await answer(`HTTP/1.1 200 OK\r\n${chunks}\r\n`);
  const [call, plain] = await edge.untilCalls(2);
  expect(call?.request).toMatchObject({ text: 'half', trailers: { 'x-sum': '7' } });
  expect(call?.response?.trailers).toEqual({ 'grpc-status': '13', 'x-error': 'café' });
  expect(plain?.response).not.toHaveProperty('trailers');
});

test('of very many events the first are kept', async () => {
  const response = await answered('text/event-stream', 'data: 1\n\n'.repeat(2_000));
  expect(response.events).toHaveLength(1_000);
  expect(response).toMatchObject({ bytes: 18_000, truncated: true, incomplete: 'too-large' });
});

const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
const head = (line: string): string =>
  `${line}\r\n${Object.entries(chunked)
    .map((pair) => pair.join(': '))
    .join('\r\n')}\r\n\r\n`;
const body = '{"to":"evil"}';

test('the size of a chunk may begin with any number of zeros', async () => {
  edge = await watchedEdge();
  const { ask, answer } = await edge.talk();
  await ask(`${head('POST / HTTP/1.1')}${'d'.padStart(16, '0')}\r\n${body}\r\n0\r\n\r\n`);
  await answer(`${head('HTTP/1.1 200 OK')}${'D'.padStart(40, '0')};a=b\r\n${body}\r\n00\r\n\r\n`);
  const [call] = await edge.untilCalls(1);
  expect(call).toMatchObject({ request: { json: { to: 'evil' } }, response: { json: { to: 'evil' } } });
});

test.each([' d', '0xd', '+d', body])(
  'a body whose chunk begins with %j is not taken for none',
  async (size) => {
    edge = await watchedEdge();
    const { ask } = await edge.talk();
    await ask(`${head('POST / HTTP/1.1')}${size}\r\n${body}\r\n0\r\n\r\n`);
    expect((await edge.untilCalls(1))[0]).toMatchObject({ method: 'POST', incomplete: 'not-http' });
    await edge.close();
    expect(edge.calls()).toContainEqual(expect.objectContaining({ method: '?', incomplete: 'not-http' }));
    edge = await watchedEdge();
    const other = await edge.talk();
    await other.ask(http('GET / HTTP/1.1'));
    await other.answer(`${head('HTTP/1.1 200 OK')}${size}\r\n${body}\r\n0\r\n\r\n`);
    const [call] = await edge.untilCalls(1);
    expect(call?.response?.json).toEqual(notRead(expect.stringContaining('cannot be read')));
  },
);
