import { afterEach, expect, test } from 'vitest';
import { knockAt } from '../../../test/peers/knock-at.ts';
import { eventually, manyTurns } from '../../../test/taps/eventually.ts';
import { createHandClock } from '../../../test/taps/hand-clock.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { OnRequest } from './wire-connection.ts';
import type { WireLimits } from './wire-limits.ts';
import { openWireServer, type WireRequest, type WireServer } from './wire-server.ts';

const open: WireServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(
  onRequest: OnRequest,
  limits: Partial<WireLimits> = {},
  clock = systemClock,
): Promise<WireServer> {
  const server = await openWireServer({ host: '127.0.0.1', clock, onRequest, limits });
  open.push(server);
  return server;
}

/** Answers with what it got. */
const echo: OnRequest = (request, reply) =>
  reply.send(200, { 'content-type': 'application/json' }, shown(request));

function shown({ method, path, query, body, tooLarge }: WireRequest): string {
  return JSON.stringify({ method, path, query, body: body.toString(), tooLarge });
}

test('a request is answered in one write, and the connection stays', async () => {
  const { port } = await serve(echo);
  const consumer = knockAt(port).send(
    'POST /a/b?x=1&x=2&y=%20z HTTP/1.1\r\nHost: h\r\ncontent-length: 4\r\n\r\nbody',
  );
  const body = '{"method":"POST","path":"/a/b","query":{"x":"1","y":" z"},"body":"body"}';
  expect(await consumer.sees('}')).toBe(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  consumer.send('GET http://elsewhere/c HTTP/1.1\r\n\r\n');
  expect(await consumer.sees('"path":"/c"')).toContain('"method":"GET"');
  expect(consumer.heard).toBeUndefined();
});

test('the length counts bytes, not letters', async () => {
  const { port } = await serve((_, reply) => reply.send(200, {}, 'grüße ☃'));
  expect(await knockAt(port).send('GET / HTTP/1.1\r\n\r\n').sees('☃')).toContain('content-length: 11');
});

test('pipelined requests are answered in order, however long each takes', async () => {
  const began: string[] = [];
  const later: (() => void)[] = [];
  const { port } = await serve(({ path }, reply) => {
    began.push(path);
    const answer = (): void => reply.send(200, {}, `<${path}>`);
    if (path === '/slow') later.push(answer);
    else answer();
  });
  const consumer = knockAt(port).send(
    '/slow /1 /2'
      .split(' ')
      .map((path) => `GET ${path} HTTP/1.1\r\n\r\n`)
      .join(''),
  );
  await eventually(() => later.length === 1);
  await manyTurns();
  expect(began).toEqual(['/slow']);
  later[0]?.();
  const text = await consumer.sees('</2>');
  expect(text.match(/<[^>]+>/g)).toEqual(['</slow>', '</1>', '</2>']);
});

test('thousands of requests at once do not exhaust the stack, and a burst does not grow without bound', async () => {
  const { port } = await serve((_, reply) => reply.send(200, {}, '.'), { waitingRequests: 4 });
  const consumer = knockAt(port).send('GET / HTTP/1.1\r\n\r\n'.repeat(5_000));
  await consumer.sees('\r\n\r\n.', 5_000);
});

test('nothing more is read while too many requests wait', async () => {
  const answers: (() => void)[] = [];
  const { port } = await serve((_, reply) => void answers.push(() => reply.send(200, {}, 'ok')), {
    waitingRequests: 2,
  });
  const consumer = knockAt(port);
  const request = `POST / HTTP/1.1\r\ncontent-length: 500000\r\n\r\n${'x'.repeat(500_000)}`;
  for (let i = 0; i < 60; i += 1) consumer.send(request);
  await eventually(() => answers.length === 1);
  await manyTurns(2_000);
  expect(consumer.socket.writableLength).toBeGreaterThan(5_000_000);
  for (let i = 0; i < 60; i += 1) {
    await eventually(() => answers.length > i);
    answers[i]?.();
  }
  await consumer.sees('ok', 60);
});

test('a consumer that has ended its side still gets its answers', async () => {
  const later: (() => void)[] = [];
  const { port } = await serve((_, reply) => void later.push(() => reply.send(200, {}, 'late')));
  const consumer = knockAt(port);
  consumer.socket.end('GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n');
  await eventually(() => later.length === 1);
  await manyTurns();
  later[0]?.();
  await eventually(() => later.length === 2);
  later[1]?.();
  expect(await consumer.over).toBe('fin');
  expect(consumer.text.match(/late/g)).toHaveLength(2);
});

test('a request may come byte by byte, in a length or in chunks', async () => {
  const { port } = await serve(echo);
  const consumer = knockAt(port);
  const slow =
    'POST /l HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc' +
    'POST /c HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\nde\r\n1\r\nf\r\n0\r\ntrailer: t\r\n\r\n';
  for (const byte of Buffer.from(slow)) {
    consumer.send(Buffer.of(byte));
    await manyTurns(1);
  }
  const text = await consumer.sees('"/c"');
  expect(text).toContain('"body":"abc"');
  expect(text).toContain('"body":"def"');
});

test('a large body arrives whole', async () => {
  const { port } = await serve(({ body }, reply) => reply.send(200, {}, body));
  const body = Buffer.alloc(3_000_000, 'abcdefg');
  const consumer = knockAt(port).send(`POST / HTTP/1.1\r\ncontent-length: ${body.length}\r\n\r\n`).send(body);
  await eventually(() => consumer.gotBytes > body.length);
  const { got } = consumer;
  expect(got.subarray(got.indexOf('\r\n\r\n') + 4).equals(body)).toBe(true);
});

test.each([
  ['a length', 'content-length: 11\r\n\r\n'],
  ['chunks', 'transfer-encoding: chunked\r\n\r\n6\r\n123456\r\n5\r\n12345\r\n0\r\n\r\n'],
])(
  'a body that is too large, by %s, is left out of the request, and the connection ends',
  async (_, rest) => {
    const { port } = await serve(
      (request, reply) => reply.send(request.tooLarge ? 413 : 200, {}, shown(request)),
      { bodyBytes: 10 },
    );
    const consumer = knockAt(port).send(`POST / HTTP/1.1\r\nexpect: 100-continue\r\n${rest}`);
    expect(await consumer.over).toBe('fin');
    expect(consumer.text).toContain('HTTP/1.1 413 Content Too Large\r\n');
    expect(consumer.text).toContain('connection: close\r\n');
    expect(consumer.text).toContain('"body":"","tooLarge":true');
    expect(consumer.text.includes('100 Continue')).toBe(rest.startsWith('transfer'));
  },
);

test('a consumer that goes on sending after our end can read the answer first, and is then cut off', async () => {
  const clock = createHandClock();
  const { port } = await serve((_, reply) => reply.send(413, {}, 'too much'), { bodyBytes: 10 }, clock);
  const consumer = knockAt(port).send('POST / HTTP/1.1\r\ncontent-length: 9999999\r\n\r\n');
  consumer.send(Buffer.alloc(5_000_000));
  expect(await consumer.over).toBe('fin');
  expect(consumer.text).toContain('too much');
  clock.advance(2_000);
  consumer.socket.on('drain', () => consumer.send('more'));
  consumer.send('more');
  await consumer.gone;
});

test.each([
  ['no HTTP at all', '\x16\x03\x01\x02\x00 hello', 400],
  ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['two lengths', 'POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 400],
  ['a broken chunk', 'POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 400],
  ['a head without an end', `GET / HTTP/1.1\r\n${'x-filler: 1234567890\r\n'.repeat(10_000)}`, 431],
])('%s is refused, and the connection ends', async (_, bytes, status) => {
  const { port } = await serve(echo);
  const consumer = knockAt(port).send(bytes);
  expect(await consumer.over).toBe('fin');
  expect(consumer.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test('what is refused waits for the answers before it', async () => {
  const later: (() => void)[] = [];
  const { port } = await serve((_, reply) => void later.push(() => reply.send(200, {}, 'first')));
  const consumer = knockAt(port).send('GET / HTTP/1.1\r\n\r\n\0\0\0\0');
  await eventually(() => later.length === 1);
  await manyTurns();
  expect(consumer.text).toBe('');
  later[0]?.();
  expect(await consumer.over).toBe('fin');
  expect(consumer.text).toMatch(/^HTTP\/1.1 200 OK[\s\S]*firstHTTP\/1.1 400 Bad Request/);
});

test('an incomplete request is refused', async () => {
  const { port } = await serve(echo);
  const consumer = knockAt(port);
  consumer.socket.end('POST / HTTP/1.1\r\ncontent-length: 10\r\n\r\nabc');
  expect(await consumer.over).toBe('fin');
  expect(consumer.text).toMatch(/^HTTP\/1.1 400 /);
});

test('the rest of a request is awaited, but not forever', async () => {
  const clock = createHandClock();
  const { port } = await serve(echo, { requestWithinMs: 1_000 }, clock);
  const consumer = knockAt(port).send(
    'GET /whole HTTP/1.1\r\n\r\nPOST / HTTP/1.1\r\ncontent-length: 10\r\n\r\nab',
  );
  await consumer.sees('/whole');
  await manyTurns();
  clock.advance(999);
  await manyTurns();
  expect(consumer.heard).toBeUndefined();
  clock.advance(1);
  expect(await consumer.over).toBe('fin');
  expect(consumer.text).toContain('HTTP/1.1 408 ');
});

test('a HEAD gets the head that its GET would get', async () => {
  const { port } = await serve(({ path }, reply) => {
    if (path === '/whole') return reply.send(200, {}, 'four');
    reply.begin(200, {});
    reply.write('four');
    reply.end();
  });
  const consumer = knockAt(port).send('HEAD /whole HTTP/1.1\r\n\r\nHEAD /stream HTTP/1.1\r\n\r\n');
  const text = await consumer.sees('chunked\r\n\r\n');
  expect(text).toContain('content-length: 4\r\n\r\n');
  expect(text).not.toContain('four');
  consumer.send('GET /whole HTTP/1.1\r\n\r\n');
  expect((await consumer.sees('four')).match(/four/g)).toHaveLength(1);
});

test('a consumer that expects 100 Continue gets it in its turn', async () => {
  const later: (() => void)[] = [];
  const { port } = await serve((request, reply) => {
    if (request.path === '/first') later.push(() => reply.send(200, {}, 'first'));
    else echo(request, reply);
  });
  const ask = 'POST / HTTP/1.1\r\nExpect: 100-Continue\r\ncontent-length: 4\r\n\r\n';
  const consumer = knockAt(port).send(`GET /first HTTP/1.1\r\n\r\n${ask}`);
  await eventually(() => later.length === 1);
  await manyTurns();
  expect(consumer.text).toBe('');
  later[0]?.();
  expect(await consumer.sees('100 Continue\r\n\r\n')).toMatch(/firstHTTP\/1.1 100 Continue\r\n\r\n$/);
  consumer.send('body');
  await consumer.sees('"body":"body"');
});

test('HTTP/1.0 and `connection: close` end with the answer', async () => {
  const { port } = await serve(({ path }, reply) => {
    if (path !== '/stream') return reply.send(200, {}, 'whole');
    reply.begin(200, {});
    reply.write('pie');
    reply.write('ces');
    reply.end();
  });
  const old = knockAt(port).send('GET /stream HTTP/1.0\r\n\r\n');
  expect(await old.over).toBe('fin');
  expect(old.text).toBe('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\npieces');
  const closing = knockAt(port).send('GET / HTTP/1.1\r\nconnection: close\r\n\r\n');
  expect(await closing.over).toBe('fin');
  const kept = knockAt(port).send('GET / HTTP/1.0\r\nconnection: keep-alive\r\n\r\n'.repeat(2));
  expect((await kept.sees('whole', 2)).match(/connection: keep-alive/g)).toHaveLength(2);
});

test('a handler that fails is an answer, and others go on', async () => {
  const { port } = await serve(async ({ path }, reply) => {
    if (path === '/later') reply.begin(200, {});
    if (path !== '/') throw new Error('the cupboard is bare');
    reply.send(200, {}, 'fine');
  });
  const failed = knockAt(port).send('GET /now HTTP/1.1\r\n\r\n');
  expect(await failed.over).toBe('fin');
  expect(failed.text).toMatch(/^HTTP\/1.1 500 [\s\S]*the cupboard is bare/);
  expect(await knockAt(port).send('GET /later HTTP/1.1\r\n\r\n').over).toBe('ECONNRESET');
  await knockAt(port).send('GET / HTTP/1.1\r\n\r\n').sees('fine');
});

test('headers cannot become messages of their own, and cannot change the framing', async () => {
  const { port } = await serve((_, reply) =>
    reply.send(
      200,
      {
        'x-a': 'b\r\n\r\nc',
        'Content-Length': '7000',
        'set-cookie': ['a=1', 'b=2'],
        'Transfer-Encoding': 'chunked',
      },
      'ok',
    ),
  );
  expect(await knockAt(port).send('GET / HTTP/1.1\r\n\r\n').sees('ok')).toBe(
    'HTTP/1.1 200 OK\r\nx-a: b    c\r\nset-cookie: a=1\r\nset-cookie: b=2\r\ncontent-length: 2\r\n\r\nok',
  );
});

test('more connections than allowed are closed at once', async () => {
  const { port } = await serve(echo, { connections: 1 });
  const first = knockAt(port).send('GET / HTTP/1.1\r\n\r\n');
  await first.sees('GET');
  expect(await knockAt(port).over).toBe('fin');
  first.send('GET /again HTTP/1.1\r\n\r\n');
  await first.sees('again');
});

test('closing ends idle, busy and hanging connections, and the port is free', async () => {
  const aborted: boolean[] = [];
  const server = await serve((request, reply) => {
    if (request.path === '/idle') return echo(request, reply);
    if (request.path === '/hang') return reply.breakOff('hang');
    reply.gone.addEventListener('abort', () => aborted.push(reply.isGone));
    reply.begin(200, {});
  });
  const peers = ['/idle', '/hang', '/busy', ''].map((path) =>
    knockAt(server.port).send(path === '' ? 'GET' : `GET ${path} HTTP/1.1\r\n\r\n`),
  );
  await peers[0]?.sees('GET');
  await peers[2]?.sees('200 OK');
  await server.close();
  await Promise.all(peers.map(({ over }) => over));
  expect(aborted).toEqual([true]);
  expect(await knockAt(server.port).over).toBe('ECONNREFUSED');
});
