import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { unpacked } from './unpacked-answer.ts';

const text = 'Hello. '.repeat(9);

test.each([
  ['deflate', 'with its head', deflateSync(text)],
  ['deflate', 'without', deflateRawSync(text)],
  ['deflate', 'with more behind it', Buffer.concat([deflateSync(text), Buffer.from('more')])],
  ['X-GZIP', 'as of old', gzipSync(text)],
  ['gzip, br', 'twice', brotliCompressSync(gzipSync(text))],
])('%s is undone: %s', async (coding, _, packed) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-encoding': coding }).end(packed);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [answer] = (await once(get({ host: '127.0.0.1', port }), 'response')) as [IncomingMessage];
  const { body, headers } = unpacked(answer, answer.headers);
  expect(Buffer.concat(await body.toArray()).toString()).toBe(text);
  expect(headers).not.toHaveProperty('content-encoding');
});
