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
  readTurns,
  ready,
  row,
  sync,
  type Turn,
  text,
} from '../../../test/harness/postgres-wire.ts';
import { storeLimits } from '../stores/store-conversation.ts';

const run = (name: string): readonly Turn[] => [
  ['sent', bind(name), execute, sync],
  ['received', frame('2'), done('SELECT 1'), ready],
];

test('a name that is taken keeps its statement, as on a connection of a pool', () => {
  const { seen } = readTurns([
    ...greeting,
    ['sent', parse('s', 'select 1'), sync],
    ['received', frame('1'), ready],
    ['sent', parse('s', 'delete from t'), sync],
    ['received', failure, ready],
    ...run('s'),
  ]);
  expect(seen).toMatchObject([
    { statement: 'delete from t', error: { code: '23505' } },
    { statement: 'select 1', result: { command: 'SELECT 1' } },
  ]);
});

test('of many that are prepared, those that are used and the latest are known', () => {
  const prepared = Array.from({ length: storeLimits.prepared + 50 }, (_, at): readonly Turn[] => [
    ['sent', parse(`p${at}`, `select ${at}`), sync],
    ['received', frame('1'), ready],
    ...(at % 1_000 === 0 ? run('p0') : []),
  ]).flat();
  const last = `p${storeLimits.prepared + 49}`;
  const { seen } = readTurns([...greeting, ...prepared, ...run('p0'), ...run(last), ...run('p7')]);
  expect(seen.slice(-3)).toMatchObject([
    { statement: 'select 0' },
    { statement: `select ${storeLimits.prepared + 49}` },
    { statement: '‹cut›' },
  ]);
});

test('rows are text where none was asked for, whatever they were before', () => {
  const binary = frame('B', text(''), text('s'), int16(0, 0, 1, 1));
  const describe = frame('D', Buffer.from('P'), text(''));
  const described = frame('T', int16(1), text('n'), Buffer.alloc(6), int32(23), Buffer.alloc(6), int16(1));
  const { seen } = readTurns([
    ...greeting,
    ['sent', parse('s', 'select n'), binary, describe, execute, sync],
    [
      'received',
      frame('1'),
      frame('2'),
      described,
      frame('D', int16(1), int32(4, 7)),
      done('SELECT 1'),
      ready,
    ],
    ['sent', bind('s'), execute, sync],
    ['received', frame('2'), row('7'), done('SELECT 1'), ready],
  ]);
  expect(seen.map(({ result }) => result)).toMatchObject([{ rows: [{ n: 7 }] }, { rows: [{ n: 7 }] }]);
});
