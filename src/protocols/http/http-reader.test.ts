import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RequestHead, ResponseHead } from './http-message.ts';
import {
  createRequestReader,
  createResponseReader,
  type HttpListener,
  type HttpReader,
  mostHeadBytes,
} from './http-reader.ts';

interface Heard {
  readonly head: RequestHead | ResponseHead;
  body: string;
  done: boolean;
}

interface Reading {
  readonly heard: Heard[];
  readonly reader: HttpReader;
}

type Shown = ReturnType<HttpListener<ResponseHead>['onHead']>;

function reading(
  kind: 'request' | 'response',
  decision: (head: ResponseHead) => Shown = () => undefined,
): Reading {
  const heard: Heard[] = [];
  const last = (): Heard => heard.at(-1) as Heard;
  const listener = {
    onHead: (head: RequestHead | ResponseHead) => {
      heard.push({ head, body: '', done: false });
      return 'status' in head ? decision(head) : undefined;
    },
    onBody: (bytes: Uint8Array) => {
      last().body += Buffer.from(bytes).toString('latin1');
    },
    onEnd: () => {
      last().done = true;
    },
  };
  return {
    heard,
    reader: kind === 'request' ? createRequestReader(listener) : createResponseReader(listener),
  };
}

function read(kind: 'request' | 'response', text: string, decision?: (head: ResponseHead) => Shown): Reading {
  const result = reading(kind, decision);
  result.reader.push(Buffer.from(text));
  return result;
}

describe('requests', () => {
  test('one without a body', () => {
    const { heard, reader } = read(
      'request',
      'GET /a?b=c HTTP/1.1\r\nHost: x\r\nAccept: a\r\naccept: b\r\n\r\n',
    );
    expect(heard).toEqual([
      {
        head: { method: 'GET', target: '/a?b=c', minor: 1, headers: { host: 'x', accept: 'a, b' } },
        body: '',
        done: true,
      },
    ]);
    expect(reader.isBetween).toBe(true);
  });

  test('several in a row, with lengths, chunks, extensions and trailers', () => {
    const { heard } = read(
      'request',
      'POST /1 HTTP/1.1\r\ncontent-length: 5\r\n\r\nhello' +
        'POST /2 HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n' +
        '3;why=not\r\nabc\r\nA\r\n0123456789\r\n0\r\nx-sum: 1\r\n\r\n' +
        '\r\nDELETE /3 HTTP/1.0\r\n\r\n',
    );
    expect(heard.map(({ head, body, done }) => [(head as RequestHead).target, body, done])).toEqual([
      ['/1', 'hello', true],
      ['/2', 'abc0123456789', true],
      ['/3', '', true],
    ]);
  });

  test('bare line feeds, folded lines, lines without a colon and odd names are read', () => {
    const { heard } = read(
      'request',
      'PUT / HTTP/1.1\nA: 1\n  2\nnonsense\n__proto__: p\nconstructor: c\nContent-Length : 2\n\nok',
    );
    expect(heard[0]?.head.headers).toMatchObject({ a: '1 2', constructor: 'c' });
    expect(heard[0]).toMatchObject({ body: 'ok', done: true });
  });

  test('equal lengths are one', () => {
    const { heard } = read('request', 'PUT / HTTP/1.1\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok');
    expect(heard[0]).toMatchObject({ body: 'ok', done: true });
  });

  test.each([
    ['lengths that differ', 'content-length: 2\r\ncontent-length: 3'],
    ['an invalid length', 'content-length: 0x2'],
    ['a negative length', 'content-length: -1'],
    ['a coding that has no end', 'transfer-encoding: gzip'],
  ])('%s: broken', (_, header) => {
    const { heard, reader } = read('request', `PUT / HTTP/1.1\r\n${header}\r\n\r\nok`);
    expect(heard).toEqual([]);
    expect(reader.state).toBe('broken');
  });

  test.each([
    ['a size that is not a number', 'x\r\n'],
    ['no size', '\r\n'],
    ['data that is longer than its size', '1\r\nab\r\n'],
    ['a size beyond all numbers', 'fffffffffffff\r\n'],
  ])('%s: broken in the middle', (_, chunk) => {
    const { heard, reader } = read('request', `PUT / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`);
    expect(heard).toMatchObject([{ done: false }]);
    expect(reader.state).toBe('broken');
  });
});

describe('responses', () => {
  test('one with a length, one in chunks, one without a body', () => {
    const { heard } = read(
      'response',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok' +
        'HTTP/1.1 500\r\ntransfer-encoding: gzip, Chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n' +
        'HTTP/1.1 204 No Content\r\n\r\nHTTP/1.0 304 Not Modified\r\ncontent-length: 9\r\n\r\n',
    );
    expect(heard.map(({ head, body, done }) => [(head as ResponseHead).status, body, done])).toEqual([
      [200, 'ok', true],
      [500, 'x', true],
      [204, '', true],
      [304, '', true],
    ]);
  });

  test('interim answers are passed over', () => {
    const { heard } = read(
      'response',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\nHTTP/1.1 201 Made\r\ncontent-length: 0\r\n\r\n',
    );
    expect(heard).toMatchObject([{ head: { status: 201, reason: 'Made' }, done: true }]);
  });

  test('the answer to a HEAD has no body', () => {
    const text = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nHTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n';
    expect(read('response', text, () => 'no-body').heard).toHaveLength(2);
  });

  test('a body without a length lasts until the end', () => {
    const { heard, reader } = read('response', 'HTTP/1.1 200 OK\r\n\r\nall of');
    reader.push(Buffer.from(' it'));
    expect(heard).toMatchObject([{ body: 'all of it', done: false }]);
    reader.end();
    expect(heard).toMatchObject([{ done: true }]);
  });

  test('an end in the middle of a length completes nothing', () => {
    const { heard, reader } = read('response', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf');
    reader.end();
    expect(heard).toMatchObject([{ body: 'half', done: false }]);
  });

  test('nothing is read after a change of protocol', () => {
    const { heard, reader } = read(
      'response',
      'HTTP/1.1 101 Switching\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
      () => 'stop',
    );
    expect(heard).toMatchObject([{ head: { status: 101 }, done: true }]);
    expect(reader.state).toBe('stopped');
  });
});

describe('what is not HTTP is known at once', () => {
  test.each([
    ['request', Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])],
    ['request', Buffer.from('00001B(:TYPE :x)')],
    ['request', Buffer.from('{"jsonrpc":"2.0"}')],
    ['request', Buffer.from('PING\r\n')],
    ['request', Buffer.from('SET key value\r\n')],
    ['request', Buffer.from('PRI * HTTP/2.0\r\n')],
    ['request', Buffer.from([0x16, 3, 1, 2])],
    ['request', Buffer.from('x'.repeat(33))],
    ['request', Buffer.from(' GET / HTTP/1.1\r\n')],
    ['response', Buffer.from('000043(:TYPE :EVENT)')],
    ['response', Buffer.from('HTTP/2')],
    ['response', Buffer.from('HTTP/1.1 OK\r\n')],
    ['response', Buffer.from('N')],
  ] as const)('%s %o', (kind, bytes) => {
    const whole = reading(kind);
    expect(whole.reader.push(bytes)).toBe('broken');
    const cut = reading(kind);
    for (const byte of bytes) cut.reader.push(Uint8Array.of(byte));
    expect(cut.reader.state).toBe('broken');
    expect([...whole.heard, ...cut.heard]).toEqual([]);
  });
});

describe('a head that is too large', () => {
  test('is reported as far as it goes, and nothing is read after it', () => {
    const text = `GET / HTTP/1.1\r\nfirst: 1\r\nbig: ${'x'.repeat(mostHeadBytes)}\r\n\r\nGET / HTTP/1.1\r\n\r\n`;
    const { heard, reader } = read('request', text);
    expect(heard).toMatchObject([
      { head: { method: 'GET', headers: { first: '1' }, cut: true }, done: false },
    ]);
    expect(reader.state).toBe('stopped');
  });

  test('even where it is one line, byte by byte', () => {
    const { heard, reader } = reading('request');
    for (const byte of Buffer.from(`GET /${'x'.repeat(mostHeadBytes)} HTTP/1.1\r\n\r\n`))
      reader.push(Uint8Array.of(byte));
    expect(heard).toMatchObject([{ head: { method: 'GET', cut: true } }]);
    const [{ head }] = heard as [Heard & { head: RequestHead }];
    expect(head.target).toHaveLength(mostHeadBytes - 4);
  });
});

test('a line of a head is UTF-8 where it is, else ISO 8859-1', () => {
  const { reader, heard } = reading('request');
  reader.push(
    Buffer.from('GET /caf\xc3\xa9 HTTP/1.1\r\nx-latin: caf\xe9\r\nx-utf: caf\xc3\xa9\r\n\r\n', 'latin1'),
  );
  expect(heard[0]?.head).toMatchObject({ target: '/café', headers: { 'x-latin': 'café', 'x-utf': 'café' } });
});

const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,8}$/);
const value = fc.stringMatching(/^[!-~]([ -~]{0,10}[!-~])?$/);
const headers = fc
  .array(fc.tuple(token, value), { maxLength: 4 })
  .map((pairs) => pairs.filter(([name]) => !/^(content-length|transfer-encoding)$/i.test(name)));

interface Message {
  readonly first: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly framing: 'length' | 'chunks' | 'none';
  readonly pieces: readonly Uint8Array[];
}

const message = (first: fc.Arbitrary<string>): fc.Arbitrary<Message> =>
  fc.record({
    first,
    headers,
    framing: fc.constantFrom('length', 'chunks', 'none'),
    pieces: fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 3 }),
  });

const kinds = {
  request: fc
    .tuple(token, fc.stringMatching(/^\/[!-~]{0,12}$/))
    .map(([method, target]) => `${method} ${target} HTTP/1.1`),
  response: fc
    .tuple(fc.integer({ min: 200, max: 599 }), value)
    .map(([status, reason]) => `HTTP/1.1 ${status} ${reason}`),
};

describe.each(['request', 'response'] as const)('%ss, generated', (kind) => {
  const printed = fc.array(message(kinds[kind]), { maxLength: 4 }).map((messages) => ({
    messages: messages.map(legal),
    bytes: Buffer.concat(messages.map((one) => print(legal(one)))),
  }));

  test('any cutting of the bytes gives the same messages', () => {
    fc.assert(
      fc.property(printed, fc.array(fc.nat(), { maxLength: 6 }), ({ messages, bytes }, cuts) => {
        const whole = outcome(kind, [bytes]);
        expect(whole.heard.map(({ body, done }) => ({ body, done }))).toEqual(
          messages.map((one) => ({ body: bodyOf(one), done: true })),
        );
        expect(outcome(kind, pieces(bytes, cuts))).toEqual(whole);
        expect(outcome(kind, pieces(bytes, [...bytes.keys()]))).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  test('damaged messages and junk never throw, and any cutting gives the same', () => {
    const damaged = fc
      .tuple(printed, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }))
      .map(([{ bytes }, changes]) => damage(bytes, changes));
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 80 })), (bytes) => {
        expect(outcome(kind, pieces(bytes, [...bytes.keys()]))).toEqual(outcome(kind, [bytes]));
      }),
      { numRuns: 500 },
    );
  });
});

/** A status that forbids a body gets none; a response without a length would last until the end. */
function legal(one: Message): Message {
  const forbidsBody = /^HTTP\/1\.1 (204|304)/.test(one.first);
  if (forbidsBody) return { ...one, pieces: [], framing: 'none' };
  if (one.framing !== 'none') return one;
  return { ...one, pieces: [], framing: one.first.startsWith('HTTP/') ? 'length' : 'none' };
}

function bodyOf(one: Message): string {
  return Buffer.concat(one.pieces).toString('latin1');
}

function print({ first, headers: pairs, framing, pieces: parts }: Message): Buffer {
  const body = Buffer.concat(parts);
  const framed =
    framing === 'chunks'
      ? Buffer.concat(
          [...parts.flatMap((part) => [`${part.length.toString(16)}\r\n`, part, '\r\n']), '0\r\n\r\n'].map(
            (part) => Buffer.from(part as string),
          ),
        )
      : body;
  const length =
    framing === 'chunks'
      ? ['Transfer-Encoding: chunked']
      : framing === 'length'
        ? [`Content-Length: ${body.length}`]
        : [];
  const lines = [first, ...pairs.map(([name, text]) => `${name}: ${text}`), ...length, '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), framed]);
}

function outcome(
  kind: 'request' | 'response',
  chunks: readonly Uint8Array[],
): { heard: Heard[]; state: string } {
  const { heard, reader } = reading(kind);
  for (const chunk of chunks) reader.push(chunk);
  return { heard, state: reader.state };
}

function pieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

function damage(bytes: Uint8Array, changes: readonly (readonly [number, number])[]): Uint8Array {
  const changed = Uint8Array.from(bytes);
  for (const [at, byte] of changes) if (changed.length > 0) changed[at % changed.length] = byte;
  return changed;
}
