import { afterEach, expect, test } from 'vitest';
import { knockAt, type RawConsumer } from '../../../test/peers/knock-at.ts';
import { eventually, manyTurns } from '../../../test/taps/eventually.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { WireAnswer, WireEnd } from '../../protocols/shapes/shape.ts';
import type { OnRequest } from './wire-connection.ts';
import { openWireServer, type WireReply, type WireServer } from './wire-server.ts';

let server: WireServer;

afterEach(async () => {
  await server.close();
});

/** One request, and what answers it. */
async function ask(onRequest: OnRequest, request = 'GET / HTTP/1.1\r\n\r\n'): Promise<RawConsumer> {
  server = await openWireServer({ host: '127.0.0.1', clock: systemClock, onRequest });
  return knockAt(server.port).send(request);
}

function answerOf(pieces: readonly string[], more: Partial<WireAnswer> = {}): WireAnswer {
  const bytes = pieces.map((piece) => ({ bytes: Buffer.from(piece) }));
  return { status: 200, headers: {}, pieces: bytes, end: 'whole', ...more };
}

test('a stream goes out piece by piece, its head with the first', async () => {
  let reply: WireReply | undefined;
  const consumer = await ask((_, given) => {
    reply = given;
    given.begin(200, { 'content-type': 'text/event-stream' });
    given.write('data: 1\n\n');
    given.write('');
  });
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
  expect(await consumer.sees('data: 1\n\n\r\n')).toBe(`${head}9\r\ndata: 1\n\n\r\n`);
  reply?.write(Buffer.from('☃'));
  reply?.end();
  expect(await consumer.sees('0\r\n\r\n')).toBe(`${head}9\r\ndata: 1\n\n\r\n3\r\n☃\r\n0\r\n\r\n`);
});

test('a head without a piece does not wait for one', async () => {
  const consumer = await ask((_, reply) => reply.begin(200, {}));
  await consumer.sees('chunked\r\n\r\n');
});

test('large pieces are whole, too', async () => {
  const large = Buffer.alloc(100_000, 'x');
  const consumer = await ask((_, reply) => {
    reply.begin(200, {});
    reply.write(large);
    reply.end();
  });
  const text = await consumer.sees('\r\n0\r\n\r\n');
  expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toBe(`186a0\r\n${large}\r\n0\r\n\r\n`);
});

test('the writer is notified when the consumer is behind, and when it has caught up', async () => {
  let waits = 0;
  let isDone = false;
  const consumer = await ask(async (_, reply) => {
    reply.begin(200, {});
    for (let i = 0; i < 400; i += 1) {
      if (reply.write(Buffer.alloc(64 * 1024, 'y'))) continue;
      waits += 1;
      await reply.drained();
    }
    reply.end();
    isDone = true;
  });
  consumer.socket.pause();
  await eventually(() => waits > 0);
  await manyTurns(1_000);
  expect(isDone).toBe(false);
  consumer.socket.resume();
  await eventually(
    () => consumer.gotBytes > 400 * 64 * 1024 && consumer.got.subarray(-5).toString() === '0\r\n\r\n',
  );
  expect(isDone).toBe(true);
});

test('a consumer that hangs up in mid-stream is noticed, and nothing waits for it', async () => {
  const shown: string[] = [];
  const consumer = await ask(async (_, reply) => {
    reply.gone.addEventListener('abort', () => shown.push('gone'));
    reply.begin(200, {});
    while (!reply.isGone) if (!reply.write(Buffer.alloc(64 * 1024))) await reply.drained();
    await reply.drained();
    await reply.answer(answerOf(['dropped']));
    reply.write('dropped');
    reply.end();
    shown.push('over');
  });
  await eventually(() => consumer.gotBytes > 100_000);
  consumer.socket.destroy();
  await eventually(() => shown.includes('over'));
  expect(shown).toEqual(['gone', 'over']);
});

test('a pause ends when the consumer hangs up', async () => {
  let isOver = false;
  const consumer = await ask(async (_, reply) => {
    const pieces = [{ bytes: Buffer.from('one') }, { bytes: Buffer.from('two'), afterMs: 3_600_000 }];
    await reply.answer({ ...answerOf([]), pieces });
    isOver = reply.isGone;
  });
  await consumer.sees('one');
  consumer.socket.resetAndDestroy();
  await eventually(() => isOver);
});

test('an answer of one piece has a length; one of several, or a stream of events, has chunks', async () => {
  const consumer = await ask(({ path }, reply) => {
    const type = path === '/events' ? { 'content-type': 'text/event-stream; charset=utf-8' } : {};
    return reply.answer(answerOf(path === '/two' ? ['{"a"', ':1}'] : ['{}'], { headers: type }));
  });
  expect(await consumer.sees('{}')).toBe('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
  consumer.send('GET /two HTTP/1.1\r\n\r\n');
  expect(await consumer.sees('0\r\n\r\n')).toContain('chunked\r\n\r\n4\r\n{"a"\r\n3\r\n:1}\r\n0\r\n\r\n');
  consumer.send('GET /events HTTP/1.1\r\n\r\n');
  expect(await consumer.sees('0\r\n\r\n', 2)).toContain('chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n');
});

test('an answer of one piece waits as a whole; a stream sends its head before it waits', async () => {
  const one = await ask((_, reply) =>
    reply.answer({ ...answerOf([]), pieces: [{ bytes: Buffer.from('late'), afterMs: 5 }] }),
  );
  await one.sees('late');
  await server.close();
  const stream = await ask((_, reply) =>
    reply.answer({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      pieces: [{ bytes: Buffer.from('late'), afterMs: 3_600_000 }],
      end: 'whole',
    }),
  );
  expect(await stream.sees('\r\n\r\n')).not.toContain('late');
});

test.each<[Exclude<WireEnd, 'whole'>, string | undefined]>([
  ['fin', 'fin'],
  ['reset', 'ECONNRESET'],
  ['hang', undefined],
])('an answer that ends in %s', async (end, heard) => {
  let isOver = false;
  const consumer = await ask(async (_, reply) => {
    await reply.answer(answerOf(['begun'], { end }));
    isOver = true;
  });
  await eventually(() => isOver && (consumer.heard !== undefined || end === 'hang'));
  await manyTurns();
  expect(consumer.heard).toBe(heard);
  expect(consumer.text).toMatch(/chunked\r\n\r\n5\r\nbegun\r\n$/);
});

test.each<[Exclude<WireEnd, 'whole'>, string | undefined]>([
  ['fin', 'fin'],
  ['reset', 'ECONNRESET'],
  ['hang', undefined],
])('no answer at all, but %s', async (end, heard) => {
  let isOver = false;
  const consumer = await ask((_, reply) => {
    reply.breakOff(end);
    isOver = true;
  });
  await eventually(() => isOver && (consumer.heard !== undefined || end === 'hang'));
  await manyTurns();
  expect([consumer.heard, consumer.text]).toEqual([heard, '']);
});

test('a reset comes after what was written', async () => {
  const consumer = await ask((_, reply) =>
    reply.answer({ ...answerOf([]), pieces: [{ bytes: Buffer.alloc(50_000, 'z') }], end: 'reset' }),
  );
  expect(await consumer.over).toBe('ECONNRESET');
  expect(consumer.gotBytes).toBeGreaterThan(50_000);
});

test('a reset waits for what the kernel has not taken yet', async () => {
  const consumer = await ask((_, reply) => {
    reply.begin(200, {});
    reply.write(Buffer.alloc(40_000_000, 'z'));
    reply.breakOff('reset');
  });
  expect(await consumer.over).toBe('ECONNRESET');
  expect(consumer.gotBytes).toBeGreaterThan(20_000_000);
});

test('a consumer that gives up on a silent peer is disconnected', async () => {
  const consumer = await ask((_, reply) => reply.breakOff('hang'));
  await manyTurns();
  consumer.socket.end();
  await consumer.gone;
});

test('framing headers of the answer are sent as they are, and incorrect ones end the connection', async () => {
  const mutant = await ask((_, reply) =>
    reply.answer(answerOf(['short'], { headers: { 'content-length': '10' } })),
  );
  expect(await mutant.over).toBe('fin');
  expect(mutant.text).toBe('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort');
  await server.close();
  const truth = await ask((_, reply) =>
    reply.answer(answerOf(['tr', 'ue'], { headers: { 'content-length': '4' } })),
  );
  await truth.sees('true');
  await truth.send('GET / HTTP/1.1\r\n\r\n').sees('true', 2);
});

test.each([204, 304])('a status of %i has no body and no framing', async (status) => {
  const consumer = await ask(({ path }, reply) => {
    if (path === '/send') return reply.send(status, {}, 'ignored');
    reply.begin(status, {});
    reply.write('ignored');
    reply.end();
  }, 'GET /send HTTP/1.1\r\n\r\nGET /begin HTTP/1.1\r\n\r\n');
  const text = await consumer.sees(`HTTP/1.1 ${status}`, 2);
  expect(text).not.toMatch(/ignored|content-length|chunked/);
});
