import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bind,
  done,
  execute,
  failure,
  frame,
  greeting,
  int16,
  int32,
  parse,
  readTurns as read,
  ready,
  startup,
  sync,
  type Turn,
  text,
} from '../../../test/harness/postgres-wire.ts';

const pipelined: readonly Turn[] = [
  ...greeting,
  ['sent', parse('a', 'insert into t values ($1)'), bind('a', '1'), execute, bind('a', '1'), execute],
  ['sent', bind('a', '2'), execute, sync, parse('', 'select 1'), bind(''), execute, sync],
  ['received', frame('1'), frame('2'), done('INSERT 0 1'), frame('2'), failure, ready],
  [
    'received',
    frame('1'),
    frame('2'),
    frame('D', int16(1), int32(1), Buffer.from('1')),
    done('SELECT 1'),
    ready,
  ],
];

test('in a pipeline, an error is of its statement, those behind it are skipped, and what follows is read', () => {
  const expected = [
    { statement: 'insert into t values ($1)', params: ['1'], result: { command: 'INSERT 0 1' } },
    { params: ['1'], error: { code: '23505', message: 'twice' } },
    { params: ['2'], error: { message: 'skipped, because a statement before it failed' } },
    { statement: 'select 1', result: { command: 'SELECT 1' } },
  ];
  expect(read(pipelined)).toMatchObject({ seen: expected, isRead: true, inProgress: 0 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (size) => {
      expect(read(pipelined, size)).toMatchObject({ seen: expected, isRead: true, inProgress: 0 });
    }),
  );
});

test('a statement that cannot be prepared, and a connection that is refused, have their errors', () => {
  const prepared = read([...greeting, ['sent', parse('', 'selekt 1'), sync], ['received', failure, ready]]);
  expect(prepared.seen).toMatchObject([{ statement: 'selekt 1', error: { code: '23505' } }]);
  const refused = read([
    ['sent', startup],
    ['received', failure],
  ]);
  expect(refused.seen).toMatchObject([{ statement: 'CONNECT', error: { message: 'twice' } }]);
});

test('what is copied in either direction is counted, and its beginning is kept', () => {
  const row = Buffer.from('7\tAda\n');
  const { seen, isRead } = read([
    ...greeting,
    ['sent', frame('Q', text('copy t from stdin'))],
    ['received', frame('G', Buffer.alloc(3))],
    ['sent', ...Array.from({ length: 20_000 }, () => frame('d', row)), frame('c')],
    ['received', done('COPY 20000'), ready],
    ['sent', frame('Q', text('copy t to stdout'))],
    ['received', frame('H', Buffer.alloc(3)), frame('d', row), frame('c'), done('COPY 1'), ready],
  ]);
  expect(isRead).toBe(true);
  const results = seen.map(({ result }) => result as { copied: { bytes: number; beginning: string } });
  expect(results).toMatchObject([
    { command: 'COPY 20000', copied: { bytes: 120_000 } },
    { command: 'COPY 1', copied: { bytes: 6, beginning: '7\tAda\n' } },
  ]);
  expect(results[0]?.copied.beginning.length).toBeLessThan(70_000);
});

const askTls = frame('', int32(80_877_103));

test('where encryption is refused, the connection is read; where it is accepted, it says so', () => {
  const query: readonly Turn[] = [
    ...greeting,
    ['sent', frame('Q', text('select 1'))],
    ['received', done('SELECT 0'), ready],
  ];
  const refused = read([['sent', askTls], ['received', Buffer.from('N')], ...query], 3);
  expect(refused).toMatchObject({ isRead: true, seen: [{ statement: 'select 1' }] });
  const accepted = read([
    ['sent', askTls],
    ['received', Buffer.from('S')],
    ['sent', Buffer.from([22, 3, 1])],
  ]);
  expect(accepted).toMatchObject({ isRead: false, because: 'the connection is encrypted' });
});

test('a connection that asks for another one to be cancelled is read: nothing else passes on it', () => {
  const cancel: Turn = ['sent', frame('', int32(80_877_102, 4711, 42))];
  expect(read([cancel])).toMatchObject({ isRead: true, seen: [{ statement: 'CANCEL' }] });
  expect(read([cancel, ['sent', frame('Q', text('select 1'))]]).isRead).toBe(false);
  expect(read([cancel, ['received', ready]]).isRead).toBe(false);
});

test('passwords are not kept', () => {
  const { seen } = read([
    ...greeting,
    [
      'sent',
      frame('p', text('hunter2')),
      frame('Q', text("alter role ada password 'hunter2' valid until 'infinity'")),
    ],
    ['received', done('ALTER ROLE'), ready],
  ]);
  expect(seen).toMatchObject([{ statement: "alter role ada password '‹cut›' valid until 'infinity'" }]);
});

test('a value of 100 MB passes without being kept', () => {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const bytes = 100 * piece.length;
  const head = Buffer.concat([Buffer.from('D'), int32(bytes + 10), int16(1), int32(bytes)]);
  const { seen, isRead } = read([
    ...greeting,
    ['sent', frame('Q', text('select doc from t'))],
    [
      'received',
      frame('T', int16(1), text('doc'), Buffer.alloc(6), int32(25), Buffer.alloc(6), int16(0)),
      head,
    ],
    ...Array.from({ length: 100 }, () => ['received', piece] as const),
    ['received', done('SELECT 1'), ready],
  ]);
  expect(isRead).toBe(true);
  expect(JSON.stringify(seen[0]?.result)).toContain(`a value of ${bytes} bytes is not kept`);
});

test('whatever is changed in the bytes, it is read or refused', () => {
  const bytes = pipelined.map(([side, ...frames]) => [side, Buffer.concat(frames)] as const);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(400), fc.nat(255), (turn, at, value) => {
      const spoilt = bytes.map(([side, whole], index) => {
        const copy = Buffer.from(whole);
        if (index === turn) copy[at % copy.length] = value;
        return [side, copy] as const;
      });
      expect(read(spoilt).seen.length).toBeLessThan(10);
    }),
    { numRuns: 1_000 },
  );
});
