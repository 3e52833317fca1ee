import { expect, test } from 'vitest';
import {
  bindTo,
  columns,
  done,
  execute,
  executeOf,
  failure,
  frame,
  greeting,
  parse,
  query,
  readTurns,
  ready,
  readyAs,
  row,
  sync,
  type Turn,
  text,
} from '../../../test/harness/postgres-wire.ts';

const suspended = frame('s');
const describe = frame('D', Buffer.from('P'), text('c'));
const opened: readonly Turn[] = [
  ...greeting,
  ['sent', parse('', 'select i'), bindTo('c', ''), describe, executeOf('c', 2), sync],
  ['received', frame('1'), frame('2'), columns('i'), row('1'), row('2'), suspended, readyAs('T')],
];
const more: Turn = ['sent', executeOf('c', 2), sync];
const rows = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({ i: `${at + 1}` }));
const wanted = (count: number, rest: object = {}): object => ({
  seen: [{ method: 'SELECT', statement: 'select i', result: { rows: rows(count), count, ...rest } }],
  isRead: true,
  inProgress: 0,
});

test('what is read in batches is one call, with all its rows', () => {
  const turns: readonly Turn[] = [
    ...opened,
    more,
    ['received', row('3'), row('4'), suspended, readyAs('T')],
    more,
    ['received', row('5'), done('SELECT 1'), readyAs('T')],
  ];
  expect(readTurns(opened)).toMatchObject({ seen: [], inProgress: 1, paused: 1 });
  expect(readTurns([...opened, more])).toMatchObject({ seen: [], inProgress: 1, paused: 0 });
  for (const pieceBytes of [1, 1_000])
    expect(readTurns(turns, pieceBytes)).toMatchObject(wanted(5, { command: 'SELECT 5' }));
  const [only] = readTurns(turns).seen;
  expect(only?.result).not.toHaveProperty('suspended');
  // Behind its end it is asked for in vain.
  expect(readTurns([...turns, more, ['received', done('SELECT 0'), readyAs('T')]])).toMatchObject(wanted(5));
});

test('batches that are asked for at once are one call', () => {
  const turns: readonly Turn[] = [
    ...greeting,
    ['sent', parse('', 'select i'), bindTo('c', ''), describe, executeOf('c', 2), executeOf('c', 2), sync],
    ['received', frame('1'), frame('2'), columns('i'), row('1'), row('2'), suspended, row('3')],
    ['received', done('SELECT 1'), ready],
  ];
  expect(readTurns(turns)).toMatchObject(wanted(3, { command: 'SELECT 3' }));
});

test.each<readonly [string, readonly Turn[]]>([
  [
    'closed',
    [
      ['sent', frame('C', Buffer.from('P'), text('c')), sync],
      ['received', frame('3'), readyAs('T')],
    ],
  ],
  [
    'bound again',
    [
      ['sent', bindTo('c', ''), sync],
      ['received', frame('2'), readyAs('T')],
    ],
  ],
  ['left when the client goes', [['sent', frame('X')]]],
])('a portal that is %s is a call as far as it was read', (_, end) => {
  expect(readTurns([...opened, ...end])).toMatchObject(wanted(2, { suspended: true }));
});

test('a portal that its transaction ended is a call as far as it was read', () => {
  const { seen, inProgress } = readTurns([
    ...opened,
    ['sent', query('rollback')],
    ['received', done('ROLLBACK'), ready],
  ]);
  expect(inProgress).toBe(0);
  expect(seen).toMatchObject([{ method: 'ROLLBACK' }, { result: { count: 2, suspended: true } }]);
});

test('an error ends what is read in batches; what is bound anew is another call', () => {
  const failed = readTurns([...opened, more, ['received', failure, readyAs('E')]]);
  expect(failed).toMatchObject({
    inProgress: 0,
    seen: [{ statement: 'select i', error: { code: '23505' } }],
  });
  const twice = readTurns([
    ...greeting,
    ['sent', parse('', 'delete'), bindTo('', ''), execute, bindTo('', ''), execute, execute, sync],
    ['received', frame('1'), frame('2'), done('DELETE 1'), frame('2'), done('DELETE 2'), failure, ready],
  ]);
  expect(twice).toMatchObject({
    inProgress: 0,
    seen: [
      { result: { command: 'DELETE 1' } },
      { result: { command: 'DELETE 2' } },
      { error: { code: '23505' } },
    ],
  });
});
