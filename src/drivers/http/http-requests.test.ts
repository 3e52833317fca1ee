/** What the http driver sends, as a real server gets it. */
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type DriverGround, driverGround } from '../../../test/conformance/driver-ground.ts';
import type { ActEvidence } from '../driver.ts';
import { httpDriver } from './http-driver.ts';
import type { HttpStep } from './http-step.ts';

interface Got {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Sends one step to a server that answers what it got. */
async function send(
  step: Partial<HttpStep>,
  ground: DriverGround = driverGround(),
): Promise<{ got: Got; evidence: ActEvidence }> {
  const port = await ground.serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const got: Got = { method, url, headers, body: Buffer.concat(chunks).toString('latin1') };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(got));
    });
  });
  const act = httpDriver.start(
    { method: 'POST', target: 'peer', path: '/x', ...step },
    ground.context(port, { bodyBytes: 1_000_000 }),
  );
  await act.done;
  const evidence = act.evidence();
  expect(evidence.error).toBeUndefined();
  expect(act.sentBytes()).toBeGreaterThan(20);
  return { got: evidence.json as Got, evidence };
}

test('json, with a type and a length', async () => {
  const { got, evidence } = await send({ json: { a: 'à' } });
  expect(got.body).toBe(Buffer.from('{"a":"à"}').toString('latin1'));
  expect(got.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '10' });
  expect(evidence.request).toMatchObject({
    method: 'POST',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/x$/),
    json: { a: 'à' },
    bytes: 10,
  });
});

test('false and null are JSON, too', async () => {
  expect((await send({ json: null })).got.body).toBe('null');
  expect((await send({ json: false })).got.body).toBe('false');
});

test('text, form and bytes', async () => {
  expect((await send({ text: 'plain' })).got).toMatchObject({
    body: 'plain',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
  expect((await send({ form: { a: '1 2', 'b&': '=' } })).got).toMatchObject({
    body: 'a=1+2&b%26=%3D',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect((await send({ body: { hex: '00 ff 80' } })).got).toMatchObject({
    body: '\x00\xff\x80',
    headers: { 'content-type': 'application/octet-stream', 'content-length': '3' },
  });
});

test('no body: no type and no length on GET', async () => {
  const { got } = await send({ method: 'GET', query: { q: 'a b' } });
  expect(got).toMatchObject({ method: 'GET', url: '/x?q=a%20b', body: '' });
  expect(got.headers).not.toHaveProperty('content-type');
  expect(got.headers).not.toHaveProperty('content-length');
});

test('a header of the step replaces the default, however it is spelled', async () => {
  const { got } = await send({
    json: {},
    headers: { 'Content-Type': 'application/vnd.x+json', 'X-Trace': '7', HOST: 'other.test' },
  });
  expect(got.headers).toMatchObject({
    'content-type': 'application/vnd.x+json',
    'x-trace': '7',
    host: 'other.test',
    'user-agent': 'shakedown',
  });
});

test('a file, streamed with its length', async () => {
  const ground = driverGround();
  writeFileSync(path.join(ground.folder, 'big.bin'), Buffer.alloc(300_000, 'x'));
  const { got, evidence } = await send({ body: { file: 'big.bin' } }, ground);
  expect(got.headers['content-length']).toBe('300000');
  expect(got.body).toBe('x'.repeat(300_000));
  expect(evidence.request).toMatchObject({ bytes: 300_000 });
});

test('a multipart form, the same bytes each time', async () => {
  const ground = driverGround();
  writeFileSync(path.join(ground.folder, 'photo.png'), Buffer.from('89504e47', 'hex'));
  const step: Partial<HttpStep> = {
    multipart: [
      { name: 'note', text: 'hello' },
      { name: 'photo', file: 'photo.png', type: 'image/png' },
      { name: 'raw "x"', hex: '00ff', filename: 'a\r\nb' },
    ],
  };
  const { got } = await send(step, ground);
  const boundary = /boundary=(.*)$/.exec(got.headers['content-type'] ?? '')?.[1];
  expect(got.body.split(`--${boundary}`)).toEqual([
    '',
    '\r\ncontent-disposition: form-data; name="note"\r\n\r\nhello\r\n',
    '\r\ncontent-disposition: form-data; name="photo"; filename="photo.png"\r\ncontent-type: image/png\r\n\r\n\x89PNG\r\n',
    '\r\ncontent-disposition: form-data; name="raw %22x%22"; filename="a%0D%0Ab"\r\ncontent-type: application/octet-stream\r\n\r\n\x00\xff\r\n',
    '--\r\n',
  ]);
  expect(got.headers['content-length']).toBe(String(got.body.length));
  expect((await send(step, ground)).got.body).toBe(got.body);
});

test('a path is sent as it is written', async () => {
  expect((await send({ path: '/a/../b//c?x=%zz' })).got.url).toBe('/a/../b//c?x=%zz');
});
