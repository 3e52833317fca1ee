/** What the http driver makes of answers: real servers, and peers that break the rules. */
import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ContextOptions } from '../../../test/conformance/driver-context.ts';
import { driverGround } from '../../../test/conformance/driver-ground.ts';
import { eventually } from '../../../test/taps/eventually.ts';
import type { ActEvidence } from '../driver.ts';
import { httpDriver } from './http-driver.ts';
import type { HttpStep } from './http-step.ts';

type FlowRequest = Partial<ContextOptions> & { readonly step?: Partial<HttpStep> };

const step: HttpStep = { method: 'GET', target: 'peer', path: '/' };

async function ask(handler: RequestListener, wish: FlowRequest = {}): Promise<ActEvidence> {
  const ground = driverGround();
  const act = httpDriver.start({ ...step, ...wish.step }, ground.context(await ground.serve(handler), wish));
  await act.done;
  return act.evidence();
}

/** A peer that answers these bytes, and may close after them. */
async function askRaw(
  answer: string | Buffer,
  then: 'end' | 'stay',
  wish: FlowRequest = {},
): Promise<ActEvidence> {
  const ground = driverGround();
  const peer = await ground.peer({
    onHear: (socket) => {
      socket.write(answer);
      if (then === 'end') socket.end();
    },
  });
  const act = httpDriver.start({ ...step, ...wish.step }, ground.context(peer.port, wish));
  await act.done;
  return act.evidence();
}

describe('bodies', () => {
  test('json', async () => {
    const evidence = await ask((_, response) => {
      response.writeHead(201, { 'content-type': 'application/problem+json' }).end('{"a":[1]}');
    });
    expect(evidence).toMatchObject({ status: 201, json: { a: [1] }, bytes: 9 });
    expect(evidence).not.toHaveProperty('text');
    expect(evidence).not.toHaveProperty('sha256');
  });

  test.each<[string | Buffer, RegExp]>([
    ['{"a":', /but invalid/],
    [Buffer.from([0x22, 0xe9, 0x22]), /but invalid: it is not UTF-8/],
    ['', /but empty/],
    [`${'['.repeat(1_000)}${']'.repeat(1_000)}`, /levels/],
  ])('what is declared as JSON and is not stays text, and is broken: %.10s', async (text, broken) => {
    const evidence = await ask((_, response) => {
      response.setHeader('content-type', 'application/json').end(text);
    });
    expect(evidence).toMatchObject({
      text: text.toString().replace('\uFFFD', '‹no-utf8›'),
      broken: expect.stringMatching(broken),
    });
    expect(evidence).not.toHaveProperty('json');
    expect(evidence).not.toHaveProperty('error');
  });

  test('JSON that does not say so is text', async () => {
    const evidence = await ask((_, response) => {
      response.setHeader('content-type', 'text/plain').end('{"a":1}');
    });
    expect(evidence.text).toBe('{"a":1}');
  });

  test('without a type: text when it is UTF-8, else bytes', async () => {
    expect((await ask((_, response) => void response.end('à'))).text).toBe('à');
    const binary = await ask((_, response) => void response.end(Buffer.from('ff00', 'hex')));
    expect(binary).toMatchObject({
      bytes: 2,
      sha256: createHash('sha256').update('ff00', 'hex').digest('hex'),
    });
    expect(binary).not.toHaveProperty('text');
  });

  test('no body where there can be none', async () => {
    const head = await ask(
      (_, response) => void response.setHeader('content-type', 'application/json').end(),
      {
        step: { method: 'HEAD' },
      },
    );
    const empty = await ask(
      (_, response) => void response.writeHead(204, { 'content-type': 'application/json' }).end(),
    );
    for (const evidence of [head, empty]) {
      expect(evidence).toMatchObject({ bytes: 0 });
      expect(evidence).not.toHaveProperty('broken');
    }
  });

  test.each([304, 204])('a length without a body does not make it wait for one: %d', async (status) => {
    const evidence = await askRaw(`HTTP/1.1 ${status} X\r\ncontent-length: 7\r\n\r\n`, 'stay');
    expect({ error: null, ...evidence }).toMatchObject({ status, bytes: 0, error: null });
  });

  test('what was packed is unpacked', async () => {
    const evidence = await ask((_, response) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      response.writeHead(200, headers).end(gzipSync('{"a":1}'));
    });
    expect(evidence.json).toEqual({ a: 1 });
  });

  test('what is UTF-8 is a text, whatever its type says', async () => {
    const types = ['application/octet-stream', 'application/pdf', 'multipart/form-data', 'message/rfc822'];
    for (const type of types) {
      const send: RequestListener = (_, response) => response.setHeader('content-type', type).end('{"à":1}');
      const sha256 = createHash('sha256').update('{"à":1}').digest('hex');
      expect(await ask(send), type).toMatchObject({ text: '{"à":1}', sha256 });
    }
  });

  test('headers: UTF-8 where they are, else ISO 8859-1', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx-latin: caf\xe9\r\nx-utf: caf\xc3\xa9\r\n';
    const evidence = await askRaw(Buffer.from(`${head}set-cookie: a=caf\xc3\xa9\r\n\r\n`, 'latin1'), 'end');
    expect(evidence.headers).toMatchObject({ 'x-latin': 'café', 'x-utf': 'café', setCookie: ['a=café'] });
  });

  test('fields that come after the body', async () => {
    const evidence = await ask((_, response) => {
      response.writeHead(200, { trailer: 'Grpc-Status' }).write('half');
      response.addTrailers({ 'Grpc-Status': '13' });
      response.end();
    });
    expect(evidence).toMatchObject({ text: 'half', trailers: { 'grpc-status': '13' } });
  });

  test('headers: lower case, joined; cookies in a list', async () => {
    const { headers } = await ask((_, response) => {
      response
        .setHeader('X-Many', ['a', 'b'])
        .setHeader('Set-Cookie', ['c=1; Expires=Thu, 01 Jan', 'd=2'])
        .end();
    });
    expect(headers).toMatchObject({ 'x-many': 'a, b', setCookie: ['c=1; Expires=Thu, 01 Jan', 'd=2'] });
  });

  test('beyond the limit it is counted and hashed, not kept', async () => {
    const text = 'àb'.repeat(50_000);
    const evidence = await ask(
      (_, response) => void response.setHeader('content-type', 'text/plain').end(text),
      {
        bodyBytes: 1_000,
      },
    );
    expect(evidence).toMatchObject({
      bytes: 150_000,
      truncated: true,
      sha256: createHash('sha256').update(text).digest('hex'),
      text: 'àb'.repeat(333), // the limit is inside a character, which is left out
    });
    expect(JSON.stringify(evidence).length).toBeLessThan(3_000);
  });
});

describe('event streams', () => {
  const stream = 'id: 1\ndata: {"a":1}\n\nevent: done\ndata: not json\n\n';
  const headers = { 'content-type': 'text/event-stream' };

  test('to their end', async () => {
    const evidence = await ask((_, response) => void response.writeHead(200, headers).end(stream));
    expect(evidence).toMatchObject({
      events: [
        { id: '1', data: { a: 1 } },
        { event: 'done', data: 'not json' },
      ],
      endedBy: 'peer',
      bytes: stream.length,
    });
    expect(evidence).not.toHaveProperty('text');
    expect(evidence).not.toHaveProperty('broken');
  });

  test('packed ones are unpacked, as far as they came', async () => {
    const packed = gzipSync(stream);
    const ended = await ask(
      (_, response) => void response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(packed),
    );
    expect(ended).toMatchObject({ events: [{ data: { a: 1 } }, { event: 'done' }], endedBy: 'peer' });
    expect(ended).not.toHaveProperty('broken');
    const going = await ask(
      (_, response) =>
        void response
          .writeHead(200, { ...headers, 'content-encoding': 'gzip' })
          .write(packed.subarray(0, -8)),
      { timeoutMs: 300 },
    );
    expect(going).toMatchObject({ events: [{ data: { a: 1 } }, { event: 'done' }], endedBy: 'timeout' });
    expect(going).not.toHaveProperty('broken');
  });

  test('an end inside an event is reported', async () => {
    const evidence = await ask(
      (_, response) => void response.writeHead(200, headers).end(`${stream}data: {`),
    );
    expect(evidence).toMatchObject({ endedBy: 'peer', broken: expect.stringMatching(/inside an event/) });
    expect(evidence.events).toHaveLength(2);
  });

  test('one that never ends is read until the deadline, and that is not an error', async () => {
    const evidence = await ask((_, response) => void response.writeHead(200, headers).write(stream), {
      timeoutMs: 300,
    });
    expect(evidence).toMatchObject({ endedBy: 'timeout', status: 200 });
    expect(evidence.events).toHaveLength(2);
    expect(evidence).not.toHaveProperty('error');
  });

  test('one that floods is read until the limit', async () => {
    const evidence = await ask(
      (_, response) => {
        response.writeHead(200, headers);
        const flood = (): void => {
          while (!response.destroyed && response.write(`data: ${'x'.repeat(1_000)}\n\n`));
          if (!response.destroyed) response.once('drain', flood);
        };
        flood();
      },
      { bodyBytes: 10_000 },
    );
    expect(evidence).toMatchObject({ endedBy: 'cap', truncated: true });
    expect(evidence.events).toHaveLength(9);
  });

  test('events are there as they come, before the end', async () => {
    const ground = driverGround();
    let finish = (): void => {};
    const port = await ground.serve((_, response) => {
      response.writeHead(200, headers).write(stream);
      finish = () => response.end('data: last\n\n');
    });
    const act = httpDriver.start(step, ground.context(port));
    const events = (): readonly unknown[] => (act.evidence().events as unknown[] | undefined) ?? [];
    await eventually(() => events().length === 2, 'two events are there');
    finish();
    await act.done;
    expect(events()).toHaveLength(3);
  });
});

describe('peers that misbehave', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf';

  test.each<[string, string, 'end' | 'stay', string]>([
    ['hangs inside its body', head, 'stay', 'timeout'],
    ['closes inside its body', head, 'end', 'closed'],
    [
      'closes inside a chunk',
      head.replace(/content-length.*\r\n/, 'transfer-encoding: chunked\r\n').replace(/half$/, '9\r\nhalf'),
      'end',
      'closed',
    ],
  ])('%s: what came is kept', async (_, answer, then, kind) => {
    const evidence = await askRaw(answer, then, { timeoutMs: kind === 'timeout' ? 300 : 20_000 });
    expect(evidence).toMatchObject({ status: 200, text: 'half', bytes: 4, error: { kind } });
    expect(evidence.error?.message).toMatch(/status 200, 4 bytes/);
  });

  test.each<[string, string, string]>([
    ['is not HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n', 'garbage'],
    ['has an invalid status', 'HTTP/1.1 abc OK\r\n\r\n', 'garbage'],
    ['has two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'garbage'],
    [
      'changes the protocol unasked',
      'HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'garbage',
    ],
    ['has an invalid chunk size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'garbage'],
    ['has a head without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`, 'too-large'],
    ['ends inside its head', 'HTTP/1.1 200 OK\r\ncontent-ty', 'closed'],
  ])('an answer that %s', async (_, answer, kind) => {
    const evidence = await askRaw(answer, kind === 'closed' ? 'end' : 'stay');
    expect(evidence.error).toMatchObject({ kind });
  });

  test('an answer that ends with its connection is whole', async () => {
    const evidence = await askRaw('HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{"a":1}', 'end');
    expect(evidence).toMatchObject({ json: { a: 1 } });
    expect(evidence).not.toHaveProperty('error');
  });

  test('an unknown host', async () => {
    const ground = driverGround();
    const address = { scheme: 'http', host: 'nobody.invalid', port: 80, url: 'http://nobody.invalid:80' };
    const act = httpDriver.start(step, ground.context(0, { addresses: { peer: address } }));
    await act.done;
    expect(act.evidence().error?.kind).toBe('unreachable');
    expect(act.sentBytes()).toBe(0);
  });

  test.each([' Continue\r\n', '\r\n', ' x\r\ndate: now\r\n'])(
    'an unrequested 100 is not an answer (%j)',
    async (rest) => {
      const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
      const evidence = await askRaw(`HTTP/1.1 100${rest}\r\n${answer}`, 'stay');
      expect(evidence).toMatchObject({ status: 200, bytes: 2 });
      expect(evidence).not.toHaveProperty('error');
    },
  );

  test('early hints are not an answer', async () => {
    const evidence = await askRaw(
      'HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\nHTTP/1.1 204 No\r\n\r\n',
      'stay',
    );
    expect(evidence).toMatchObject({ status: 204 });
  });
});

describe('redirects', () => {
  const around: RequestListener = (request, response) => {
    if (request.url === '/end')
      response.end(`${request.method} ${request.headers['content-type'] ?? 'none'}`);
    else
      response
        .writeHead(request.url === '/' ? 302 : 307, { location: request.url === '/' ? '/two' : '/end' })
        .end('moved');
  };

  test('are not followed unless asked', async () => {
    const evidence = await ask(around);
    expect(evidence).toMatchObject({ status: 302, headers: { location: '/two' }, text: 'moved' });
    expect(evidence).not.toHaveProperty('redirects');
  });

  test('are followed, with every hop recorded', async () => {
    const evidence = await ask(around, { step: { redirect: true, method: 'POST', json: { a: 1 } } });
    expect(evidence).toMatchObject({
      request: { method: 'POST', json: { a: 1 } },
      status: 200,
      text: 'GET none',
      redirects: [
        { status: 302, url: expect.stringMatching(/\/two$/) },
        { status: 307, url: expect.stringMatching(/\/end$/) },
      ],
    });
  });

  test('in a circle end', async () => {
    const evidence = await ask((_, response) => void response.writeHead(302, { location: '/' }).end(), {
      step: { redirect: true },
    });
    expect(evidence).toMatchObject({ status: 302, broken: expect.stringMatching(/21th time/) });
    expect(evidence.redirects).toHaveLength(20);
  });
});
