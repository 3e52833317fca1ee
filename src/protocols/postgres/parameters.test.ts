import { expect, test } from 'vitest';
import {
  columns,
  done,
  execute,
  frame,
  greeting,
  int16,
  int32,
  parse,
  readTurns,
  ready,
  sync,
  text,
} from '../../../test/harness/postgres-wire.ts';
import { cutMark } from '../../kernel/cut-mark.ts';
import { isNotKept } from '../../kernel/not-kept.ts';

const account = Buffer.alloc(8);
account.writeBigInt64BE(8_274_619_350_172n);

const bindBinary = (...values: readonly Buffer[]): Buffer =>
  frame(
    'B',
    text(''),
    text(''),
    int16(1, 1),
    int16(values.length),
    ...values.flatMap((value) => [int32(value.length), value]),
    int16(1, 1),
  );
const describe = frame('D', Buffer.from('S'), text(''));

test('a parameter in binary form has the type that the client said, or that the server says later', () => {
  const said = frame('P', text(''), text('select $1'), int16(1), int32(20));
  const early = readTurns([
    ...greeting,
    ['sent', said, bindBinary(account), execute, sync],
    ['received', frame('1'), frame('2'), done('SELECT 1'), ready],
  ]);
  const late = readTurns([
    ...greeting,
    ['sent', parse('', 'select $1'), describe, bindBinary(account), execute, sync],
    [
      'received',
      frame('1'),
      frame('t', int16(1), int32(20)),
      columns('n'),
      frame('2'),
      done('SELECT 1'),
      ready,
    ],
  ]);
  for (const { seen } of [early, late]) expect(seen).toMatchObject([{ params: [8_274_619_350_172] }]);
});

test('a parameter in binary form whose type nobody says is not known', () => {
  const { seen } = readTurns([
    ...greeting,
    ['sent', parse('', 'select $1'), bindBinary(account, Buffer.from('Ada Lovelace')), execute, sync],
    ['received', frame('1'), frame('2'), done('SELECT 1'), ready],
  ]);
  expect(seen[0]?.params?.map(isNotKept)).toEqual([true, true]);
});

test.each([65_496, 65_498, 65_500, 70_000])(
  'what a message of parameters lost beyond its kept part is marked: %i',
  (bytes) => {
    const first = Buffer.alloc(10_000, 'x');
    const values = [
      ...Array.from({ length: 6 }, () => first),
      Buffer.alloc(bytes - 60_000, 'y'),
      Buffer.from('4111'),
    ];
    const texts = frame(
      'P',
      text(''),
      text('select $1'),
      int16(values.length),
      int32(...values.map(() => 25)),
    );
    const { seen } = readTurns([
      ...greeting,
      ['sent', texts, bindBinary(...values), execute, sync],
      ['received', frame('1'), frame('2'), done('SELECT 1'), ready],
    ]);
    expect(seen[0]?.params?.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 'x'.repeat(10_000)));
    expect(isNotKept(seen[0]?.params?.at(-1))).toBe(true);
  },
);

test('more than 32,767 parameters are read', () => {
  const nulls = Buffer.alloc(4 * 40_000, 0xff);
  const sent = frame('B', text(''), text(''), int16(0), Buffer.from([0x9c, 0x40]), nulls, int16(0));
  const { seen } = readTurns([
    ...greeting,
    ['sent', parse('', 'select $1'), sent, execute, sync],
    ['received', frame('1'), frame('2'), done('SELECT 1'), ready],
  ]);
  expect(seen[0]?.params?.length).toBeGreaterThan(16_000);
  expect(isNotKept(seen[0]?.params?.at(-1))).toBe(true);
});

test('a column of a row beyond what is kept is not absent', () => {
  const wide = frame('D', int16(2), int32(70_000), Buffer.alloc(70_000, 'x'), int32(1), Buffer.from('b'));
  const { seen } = readTurns([
    ...greeting,
    ['sent', frame('Q', text('select a, b'))],
    ['received', columns('a', 'b'), wide, done('SELECT 1'), ready],
  ]);
  const { rows } = (seen[0] as { result: unknown }).result as { rows: readonly Record<string, unknown>[] };
  const [only] = rows;
  expect([isNotKept(only?.a), isNotKept(only?.b)]).toEqual([true, true]);
});

test('the text of a prepared statement that was cut, or is not known, is marked', () => {
  const { seen } = readTurns([
    ...greeting,
    ['sent', parse('', `delete from t where a = '${'x'.repeat(70_000)}'`), bindBinary(), execute],
    [
      'sent',
      frame('B', text('p'), text('made by PREPARE'), int16(0, 0, 0)),
      frame('E', text('p'), int32(0)),
      sync,
    ],
    ['received', frame('1'), frame('2'), done('DELETE 1'), frame('2'), done('INSERT 0 1'), ready],
  ]);
  expect(seen).toMatchObject([
    { method: 'DELETE', statement: expect.stringMatching(`x${cutMark}$`) },
    { method: 'INSERT', statement: cutMark },
  ]);
});

test('what is copied beyond what is kept is marked', () => {
  const { seen } = readTurns([
    ...greeting,
    ['sent', frame('Q', text('copy t from stdin'))],
    ['received', frame('G', Buffer.alloc(3))],
    ['sent', frame('d', Buffer.alloc(70_000, 'x')), frame('c')],
    ['received', done('COPY 1'), ready],
  ]);
  expect(seen[0]?.result).toMatchObject({
    copied: { bytes: 70_000, beginning: expect.stringMatching(`x${cutMark}$`) },
  });
});
