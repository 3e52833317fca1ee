import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { knockAt } from '../../../test/peers/knock-at.ts';
import { systemClock } from '../../kernel/clock.ts';
import { openWireServer, type WireServer } from './wire-server.ts';

let server: WireServer;

beforeAll(async () => {
  server = await openWireServer({
    host: '127.0.0.1',
    clock: systemClock,
    onRequest: ({ method, path, body }, reply) =>
      reply.send(200, {}, `<${method} ${path} ${body.toString('hex')}>`),
    limits: { bodyBytes: 1_000 },
  });
});
afterAll(() => server.close());

const request = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT'),
    path: fc.stringMatching(/^\/[a-z]{0,8}$/),
    chunks: fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 4 }),
    isChunked: fc.boolean(),
  })
  .map(({ method, path, chunks, isChunked }) => {
    const body = Buffer.concat(chunks);
    const head = `${method} ${path} HTTP/1.1\r\nhost: h\r\n`;
    const written = chunks.flatMap((chunk) => [`${chunk.length.toString(16)}\r\n`, chunk, '\r\n']);
    const parts = isChunked
      ? [head, 'transfer-encoding: chunked\r\n\r\n', ...written, '0\r\n\r\n']
      : [head, `content-length: ${body.length}\r\n\r\n`, body];
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    return { bytes, answer: `<${method} ${path} ${body.toString('hex')}>` };
  });

test('any requests, cut at any places, get their answers in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(500), { maxLength: 8 }),
      async (requests, cuts) => {
        const bytes = Buffer.concat(requests.map((one) => one.bytes));
        const consumer = knockAt(server.port);
        const places = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].sort(
          (a, b) => a - b,
        );
        for (const [index, place] of places.slice(1).entries())
          await new Promise((resolve) =>
            consumer.socket.write(bytes.subarray(places[index], place), resolve),
          );
        consumer.socket.end();
        expect(await consumer.over).toBe('fin');
        expect(consumer.text.match(/<[^>]*>/g)).toEqual(requests.map(({ answer }) => answer));
      },
    ),
    { numRuns: 150 },
  );
});

test('for any input, the server answers or not, and keeps running', async () => {
  const junk = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .tuple(request, fc.nat(60), fc.uint8Array({ minLength: 1, maxLength: 4 }))
      .map(([{ bytes }, at, wrong]) => {
        const spoilt = Buffer.from(bytes);
        spoilt.set(wrong.subarray(0, Math.max(0, spoilt.length - at)), Math.min(at, spoilt.length));
        return spoilt;
      }),
  );
  await fc.assert(
    fc.asyncProperty(junk, async (bytes) => {
      const consumer = knockAt(server.port).send(bytes);
      consumer.socket.end();
      expect(await consumer.over).toBe('fin');
      expect(consumer.text).toMatch(/^(?:HTTP\/1\.1 \d{3} |$)/);
    }),
    { numRuns: 150 },
  );
  await knockAt(server.port).send('GET /alive HTTP/1.1\r\n\r\n').sees('<GET /alive >');
});
