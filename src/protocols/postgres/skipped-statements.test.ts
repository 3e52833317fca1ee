import { expect, test } from 'vitest';
import {
  bind,
  done,
  execute,
  failure,
  frame,
  greeting,
  parse,
  query,
  readTurns,
  ready,
  sync,
  type Turn,
} from '../../../test/harness/postgres-wire.ts';

const after: readonly Turn[] = [
  ['sent', query('select 3')],
  ['received', done('SELECT 1'), ready],
];
const read = { statement: 'select 3', result: { command: 'SELECT 1' } };
const skipped = { message: 'skipped, because a statement before it failed' };

test('what is sent after an error, and before the sync, is skipped', () => {
  const turns: readonly Turn[] = [
    ...greeting,
    ['sent', parse('', 'select 1 / 0'), bind(''), execute],
    ['received', frame('1'), frame('2'), failure],
    ['sent', parse('', 'select 2'), bind(''), execute, query('select 4'), sync],
    ['received', ready],
    ...after,
  ];
  expect(readTurns(turns)).toMatchObject({
    seen: [
      { statement: 'select 1 / 0', error: { code: '23505' } },
      { statement: 'select 2', error: skipped },
      { statement: 'select 4', error: skipped },
      read,
    ],
    isRead: true,
    inProgress: 0,
  });
});

const copy: readonly Turn[] = [
  ...greeting,
  ['sent', parse('', 'copy t from stdin'), bind(''), execute, sync],
];
const begun: Turn = ['received', frame('1'), frame('2'), frame('G', Buffer.alloc(3))];
const data = frame('d', Buffer.from('1\n'));
const copied = { statement: 'copy t from stdin', result: { command: 'COPY 1', copied: { bytes: 2 } } };
const failed = { statement: 'copy t from stdin', error: { code: '23505' } };

test.each<readonly [string, readonly Turn[], object]>([
  [
    'while data is expected',
    [...copy, begun, ['sent', data, sync, frame('c'), sync], ['received', done('COPY 1'), ready]],
    copied,
  ],
  [
    'while data is expected that is wrong',
    [...copy, begun, ['sent', data], ['received', failure], ['sent', frame('c'), sync], ['received', ready]],
    failed,
  ],
  [
    'except behind all data',
    [
      ...copy.slice(0, -1),
      ['sent', parse('', 'copy t from stdin'), bind(''), execute, data, frame('c'), sync],
      begun,
      ['received', done('COPY 1'), ready],
    ],
    copied,
  ],
  [
    'except where there is nothing to copy to',
    [...copy, ['received', frame('1'), frame('2'), failure, ready]],
    failed,
  ],
])('a sync is ignored %s', (_, turns, wanted) => {
  expect(readTurns([...turns, ...after])).toMatchObject({
    seen: [wanted, read],
    isRead: true,
    inProgress: 0,
  });
});
