import { expect, test } from 'vitest';
import {
  columns,
  done,
  failure,
  frame,
  greeting,
  query,
  readTurns,
  ready,
  row,
  type Turn,
  text,
} from '../../../test/harness/postgres-wire.ts';
import { cutMark } from '../../kernel/cut-mark.ts';

const ask = (statement: string, ...answers: readonly Buffer[]) =>
  readTurns([...greeting, ['sent', query(statement)], ['received', ...answers]]);

test('each statement of a query is a call, with its own text and its own result', () => {
  const sent = "BEGIN; INSERT INTO t VALUES (';');\nSELECT id FROM t; COMMIT;";
  const answers = [done('BEGIN'), done('INSERT 0 1'), columns('id'), row('7'), done('SELECT 1')];
  const expected = {
    seen: [
      { method: 'BEGIN', statement: 'BEGIN', result: { command: 'BEGIN' } },
      { method: 'INSERT', statement: "INSERT INTO t VALUES (';')", result: { command: 'INSERT 0 1' } },
      {
        method: 'SELECT',
        statement: 'SELECT id FROM t',
        result: { command: 'SELECT 1', rows: [{ id: '7' }], count: 1 },
      },
      { method: 'COMMIT', statement: 'COMMIT', result: { command: 'COMMIT' } },
    ],
    isRead: true,
    inProgress: 0,
  };
  expect(ask(sent, ...answers, done('COMMIT'), ready)).toMatchObject(expected);
  const inPieces: readonly Turn[] = [
    ...greeting,
    ['sent', query(sent)],
    ['received', ...answers, done('COMMIT'), ready],
  ];
  expect(readTurns(inPieces, 3)).toMatchObject(expected);
  expect(ask(sent, ...answers).inProgress).toBe(1);
});

test('behind a statement that failed, the rest was not executed', () => {
  const { seen, isRead, inProgress } = ask(
    'insert a; insert b; delete c',
    done('INSERT 0 1'),
    failure,
    ready,
  );
  expect({ isRead, inProgress }).toEqual({ isRead: true, inProgress: 0 });
  expect(seen).toMatchObject([
    { statement: 'insert a', result: { command: 'INSERT 0 1' }, error: undefined },
    { statement: 'insert b', result: undefined, error: { code: '23505' } },
    { statement: 'delete c', result: undefined, error: { message: expect.stringMatching(/^not executed/) } },
  ]);
});

test('an empty query, one statement as it was sent, and the call of a function are one call', () => {
  expect(ask(' ; -- nothing', frame('I'), ready)).toMatchObject({
    isRead: true,
    seen: [{ method: '?', statement: '; -- nothing', result: { command: '' } }],
  });
  expect(ask('select 1; -- done', done('SELECT 1'), ready).seen).toMatchObject([
    { statement: 'select 1; -- done' },
  ]);
  const called = readTurns([
    ...greeting,
    ['sent', frame('F', Buffer.alloc(10))],
    ['received', frame('V', Buffer.alloc(4)), ready],
  ]);
  expect(called).toMatchObject({ isRead: true, inProgress: 0, seen: [{ method: 'FUNCTION' }] });
});

test.each([
  ['fewer', [done('INSERT 0 1'), ready]],
  ['more', [done('INSERT 0 1'), done('INSERT 0 1'), done('DELETE 1'), ready]],
])('with %s results than statements, nothing more is read', (_, answers) => {
  const { isRead, because } = ask('insert a; insert b', ...answers);
  expect(isRead).toBe(false);
  expect(because).toContain('statements');
});

const long = 'x'.repeat(70_000);

test('what was cut off a statement is marked, and what it contained is counted by its results', () => {
  const bulk = `insert into t values ('${long}'), ('4111')`;
  const one = ask(bulk, done('INSERT 0 2'), ready);
  expect(one).toMatchObject({ isRead: true, inProgress: 0, seen: [{ method: 'INSERT' }] });
  expect(one.seen[0]?.statement.endsWith(`xxx${cutMark}`)).toBe(true);
  const several = ask(
    `begin; ${bulk}; delete from t; commit`,
    done('BEGIN'),
    done('INSERT 0 2'),
    done('DELETE 2'),
    done('COMMIT'),
    ready,
  );
  expect(several).toMatchObject({ isRead: true, inProgress: 0 });
  expect(several.seen).toMatchObject([
    { method: 'BEGIN', statement: 'begin' },
    { method: 'INSERT', statement: expect.stringMatching(`^insert.*x${cutMark}$`) },
    { method: 'DELETE', statement: cutMark },
    { method: 'COMMIT', statement: cutMark },
  ]);
  expect(ask(`begin; /*${long}*/ delete`, done('BEGIN'), ready).seen).toHaveLength(1);
  expect(ask(`begin; /*${long}*/ delete`, done('BEGIN'), failure, ready).seen).toMatchObject([
    {},
    { method: cutMark, statement: cutMark, error: { code: '23505' } },
  ]);
});

test('a character that was cut in two, and a password that was cut, are not shown', () => {
  const odd = ask(`select '${'ü'.repeat(40_000)}'`, done('SELECT 1'), ready).seen[0]?.statement;
  expect(odd).toMatch(new RegExp(`ü${cutMark}$`));
  const secret = ask(`alter role ada password '${'p'.repeat(70_000)}'`, done('ALTER ROLE'), ready).seen[0]
    ?.statement;
  expect(secret).toMatch(new RegExp(`^alter role ada password '[^p]*${cutMark}$`));
});

test('a backslash escapes where the server said that it does', () => {
  const { seen } = readTurns([
    ...greeting,
    ['received', frame('S', text('standard_conforming_strings'), text('off'))],
    ['sent', query(String.raw`select '\'; delete from t'; select 2`)],
    ['received', done('SELECT 1'), done('SELECT 1'), ready],
  ]);
  expect(seen.map(({ method }) => method)).toEqual(['SELECT', 'SELECT']);
});
