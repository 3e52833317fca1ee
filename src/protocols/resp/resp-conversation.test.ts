import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutMark } from '../../kernel/cut-mark.ts';
import { defined } from '../../kernel/defined.ts';
import { isNotKept, moreNotKept, notRead, wholeLength } from '../../kernel/not-kept.ts';
import type { StoreExchange } from '../stores/store-conversation.ts';
import { RespConversation } from './resp-conversation.ts';

const command = (...words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

type Turn = readonly ['sent' | 'received', string];

function read(turns: readonly Turn[], pieceBytes = Number.POSITIVE_INFINITY) {
  const ended: StoreExchange[] = [];
  const begun: StoreExchange[] = [];
  const conversation = new RespConversation({
    begun: (exchange) => begun.push(exchange),
    reached: () => undefined,
    paused: () => undefined,
    ended: (exchange) => ended.push(exchange),
  });
  let isRead = true;
  for (const [side, text] of turns) {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += pieceBytes)
      isRead = conversation[side](bytes.subarray(at, at + pieceBytes)) && isRead;
  }
  const seen = ended.map(({ method, path, result, error }) => ({
    method,
    path,
    ...defined({ result, error }),
  }));
  return { seen, ended, begun, isRead, conversation };
}

const turns: readonly Turn[] = [
  ['sent', command('SET', 'greeting', 'grüße') + command('get', 'greeting')],
  ['received', '+OK\r\n$7\r\ngrüße\r\n'],
  ['sent', command('INCR', 'n') + command('LPOP', 'n') + command('HGETALL', 'h')],
  ['received', ':9007199254740993\r\n-WRONGTYPE of a value\r\n%1\r\n+a\r\n,1.5\r\n'],
  ['sent', 'PING\r\n'],
  ['received', '+PONG\r\n'],
  ['sent', command('XADD', 'jobs', '*', 'id', '7')],
  ['received', '$3\r\n1-1\r\n'],
  ['sent', command('XREADGROUP', 'GROUP', 'g', 'c', 'BLOCK', '500', 'STREAMS', 'jobs', '>')],
  ['received', '*-1\r\n'],
  ['sent', command('MULTI') + command('DEL', 'a') + command('EXEC')],
  ['received', '+OK\r\n+QUEUED\r\n*1\r\n:1\r\n'],
];

const expected = [
  { method: 'SET', path: 'greeting', result: 'OK' },
  { method: 'GET', path: 'greeting', result: 'grüße' },
  { method: 'INCR', path: 'n', result: 9007199254740993n },
  { method: 'LPOP', path: 'n', error: { message: 'WRONGTYPE of a value' } },
  { method: 'HGETALL', path: 'h', result: { a: 1.5 } },
  { method: 'PING', path: '', result: 'PONG' },
  { method: 'XADD', path: 'jobs', result: '1-1' },
  { method: 'XREADGROUP', path: 'jobs', result: null },
  { method: 'MULTI', path: '', result: 'OK' },
  { method: 'DEL', path: 'a', result: 1 },
  { method: 'EXEC', path: '', result: [1] },
];

test('commands have their answers, in whichever pieces they come', () => {
  expect(read(turns).seen).toEqual(expected);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (size) => {
      expect(read(turns, size).seen).toEqual(expected);
    }),
  );
});

test('a read that waits is known as one, and as vain where nothing came', () => {
  const [wait] = read(turns).ended.filter(({ method }) => method === 'XREADGROUP');
  expect(wait).toMatchObject({ isWaiting: true, isVain: true });
  expect(read([['sent', command('XREAD', 'STREAMS', 'jobs', '0')]]).begun[0]).toMatchObject({
    isWaiting: false,
  });
});

test('a subscription has an answer for each channel, and messages are reported by themselves', () => {
  const confirm = (word: string, channel: string, count: number): string =>
    `*3\r\n$${word.length}\r\n${word}\r\n$1\r\n${channel}\r\n:${count}\r\n`;
  const message = '*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$2\r\nhi\r\n';
  const talk: readonly Turn[] = [
    ['sent', command('SUBSCRIBE', 'a', 'b')],
    ['received', confirm('subscribe', 'a', 1) + message + confirm('subscribe', 'b', 2)],
    ['sent', command('UNSUBSCRIBE')],
    ['received', confirm('unsubscribe', 'a', 1) + confirm('unsubscribe', 'b', 0)],
    ['sent', command('ECHO', 'message')],
    ['received', '$7\r\nmessage\r\n'],
  ];
  expect(read(talk).ended.map(({ method, params }) => [method, ...(params ?? [])])).toEqual([
    ['MESSAGE', 'a', 'hi'],
    ['SUBSCRIBE', 'a', 'b'],
    ['UNSUBSCRIBE'],
    ['ECHO', 'message'],
  ]);
  const pushed = read([
    ['sent', command('SUBSCRIBE', 'a')],
    ['received', `>${confirm('subscribe', 'a', 1).slice(1)}>${message.slice(1)}`],
    ['sent', command('GET', 'k')],
    ['received', '>2\r\n+invalidate\r\n*1\r\n+k\r\n_\r\n'],
  ]);
  expect(pushed.ended.map(({ method }) => method)).toEqual(['SUBSCRIBE', 'MESSAGE', 'GET']);
});

test('credentials are not kept', () => {
  const { ended } = read([
    ['sent', command('AUTH', 'ada', 'hunter2') + command('HELLO', '3', 'AUTH', 'ada', 'hunter2')],
    ['sent', command('CONFIG', 'SET', 'requirepass', 'hunter2')],
    ['received', '+OK\r\n+OK\r\n+OK\r\n'],
  ]);
  expect(ended).toHaveLength(3);
  expect(JSON.stringify(ended)).not.toContain('hunter2');
});

test('what is not kept of a command is marked where it was', () => {
  const large = 'x'.repeat(20_000);
  const words = Array.from({ length: 2_000 }, (_, at) => `w${at}`);
  const { begun } = read([
    ['sent', command('SET', 'k', large, 'EX', '60') + command('DEL', large) + command('SADD', 's', ...words)],
    ['sent', command('AUTH', 'hunter2')],
  ]);
  expect(begun.map(({ statement, path }) => ({ statement, path }))).toEqual([
    { statement: `SET k ${cutMark} EX 60`, path: 'k' },
    { statement: `DEL ${cutMark}`, path: cutMark },
    { statement: expect.stringMatching(`^SADD s w0 .* w997 ${cutMark}$`), path: 's' },
    { statement: `AUTH ${cutMark}`, path: '' },
  ]);
  const published = read([
    ['sent', command('SUBSCRIBE', large)],
    ['received', `*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n`],
    ['received', `*3\r\n$7\r\nmessage\r\n$20000\r\n${large}\r\n$2\r\nhi\r\n`],
  ]);
  expect(published.ended.map(({ path }) => path)).toEqual([cutMark, cutMark]);
});

test('large values and long lists are read without being kept', () => {
  const large = 'x'.repeat(1_000_000);
  const many = `*5000\r\n${'$1\r\na\r\n'.repeat(5_000)}`;
  const { seen } = read(
    [
      ['sent', command('SET', 'k', large) + command('GET', 'k') + command('LRANGE', 'l', '0', '-1')],
      ['received', `+OK\r\n$1000000\r\n${large}\r\n${many}`],
    ],
    65_536,
  );
  const because = 'a value of 1000000 bytes is not kept; at most 16384 are';
  expect(seen[1]).toEqual({ method: 'GET', path: 'k', result: notRead(because) });
  expect(seen[2]?.result).toHaveLength(1_001);
  expect(wholeLength(seen[2]?.result as unknown[])).toBe(5_000);
});

test('a map of which only a part is kept is not read: it is no list', () => {
  const many = `%2000\r\n${'$1\r\na\r\n'.repeat(4_000)}`;
  const { seen } = read([
    ['sent', command('HGETALL', 'h')],
    ['received', many],
  ]);
  expect(isNotKept(seen[0]?.result)).toBe(true);
});

test.each([
  ['an answer without a command', [['received', '+OK\r\n']]],
  ['a length that is none', [['sent', '*1\r\n$x\r\n']]],
  ['a missing line end', [['sent', '*1\r\n$4\r\nPINGab']]],
  ['replies that are switched off', [['sent', command('CLIENT', 'REPLY', 'OFF')]]],
  ['another protocol', [['received', 'HTTP/1.1 200 OK\r\n']]],
] as const)('nothing is read after %s', (_, talk) => {
  expect(read(talk).isRead).toBe(false);
});

test('whatever comes, it is read or refused', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('sent', 'received'), fc.string())), (talk) => {
      const { ended } = read(talk as Turn[], 3);
      expect(ended.every(({ method }) => typeof method === 'string')).toBe(true);
    }),
  );
});

test('commands without a length are read, in whichever pieces they come', () => {
  const inline: readonly Turn[] = [
    ['sent', 'SET k "a b"\r\n\r\nAUTH ada "hunter two"\nhello 3 auth ada hunter2\r\n$5 #a\r\n'],
    ['received', '+OK\r\n+OK\r\n*0\r\n-ERR unknown command\r\n'],
    ['sent', `${command('GET', 'k')}:7 x\r\n`],
    ['received', '$3\r\na b\r\n-ERR unknown command\r\n'],
  ];
  for (const size of [1, 7, 1_000]) {
    const { ended, isRead } = read(inline, size);
    expect(ended.map(({ statement }) => statement)).toEqual([
      'SET k "a b"',
      `AUTH ${cutMark} ${cutMark}`,
      `HELLO 3 auth ${cutMark} ${cutMark}`,
      '$5 #a',
      'GET k',
      ':7 x',
    ]);
    expect(ended[0]).toMatchObject({ sentBytes: 13, params: ['k', 'a b'], result: 'OK' });
    expect(JSON.stringify(ended.map(({ params }) => params))).not.toContain('hunter');
    expect(isRead).toBe(true);
  }
  const [large] = read([
    ['sent', `MSET ${'x '.repeat(2_000)} ${'y'.repeat(20_000)}\r\n`],
    ['received', '+OK\r\n'],
  ]).ended;
  expect(large?.params?.at(-1)).toEqual(moreNotKept(1_002, 'only the first 1000 of the values are kept'));
  expect(wholeLength(large?.params ?? [])).toBe(2_001);
  expect(read([['sent', `SET k ${'x'.repeat(70_000)}\r\n`]]).isRead).toBe(false);
  expect(read([['sent', 'AUTH "hunter2\r\n']])).toMatchObject({ isRead: false, begun: [] });
});
