import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitStatements, verbOf } from './split-statements.ts';

test.each([
  ['one', 'select 1', ['select 1']],
  ['an end behind it', ' select 1 ; ', ['select 1']],
  ['several', 'begin; insert into t values (1);\n\ncommit;', ['begin', 'insert into t values (1)', 'commit']],
  ['empty ones', ';; select 1;;-- no;thing\n; /* ; */ ;', ['select 1']],
  ['none', ' ; /* a */ -- b', []],
  ['a string', "select ';''; '; select 2", ["select ';''; '", 'select 2']],
  ['a backslash in a plain string', String.raw`select '\'; select 2`, [String.raw`select '\'`, 'select 2']],
  ['an E string', String.raw`select e'\';'; select 2`, [String.raw`select e'\';'`, 'select 2']],
  [
    'an E string that goes on in the next line',
    `select E'a'\n '\\';'; select 2`,
    [`select E'a'\n '\\';'`, 'select 2'],
  ],
  [
    'a name that ends in e before a string',
    String.raw`select date'\'; select 2`,
    [String.raw`select date'\'`, 'select 2'],
  ],
  ['a dollar quote', 'do $$ begin; end $$; select 2', ['do $$ begin; end $$', 'select 2']],
  ['a tagged one', 'do $a$ $$;$b$; $a$; select 2', ['do $a$ $$;$b$; $a$', 'select 2']],
  ['a name with dollars', 'select a$b$; select c$b$', ['select a$b$', 'select c$b$']],
  ['a parameter', 'select $1; select $2', ['select $1', 'select $2']],
  ['a quoted name', 'select 1 as ";"";"; select 2', ['select 1 as ";"";"', 'select 2']],
  ['a line comment', "select 1 -- it's; \n; select 2", ["select 1 -- it's;", 'select 2']],
  ['a nested comment', "/* a /* ' */ ; */ select 1; select 2", ["/* a /* ' */ ; */ select 1", 'select 2']],
  [
    'a rule with several actions',
    'create rule r as on insert to t do (delete from a; delete from b); select 2',
    ['create rule r as on insert to t do (delete from a; delete from b)', 'select 2'],
  ],
  [
    'a function with a body of statements',
    'create or replace function f() returns int begin atomic select case when true then 1 end; select 2; end; select 3',
    [
      'create or replace function f() returns int begin atomic select case when true then 1 end; select 2; end',
      'select 3',
    ],
  ],
  ['a string without an end', "select 1; select '; select 2", ['select 1', "select '; select 2"]],
  ['a comment without an end', 'select 1; select 3 /* ; select 2', ['select 1', 'select 3 /* ; select 2']],
])('%s', (_, text, statements) => {
  expect(splitStatements(text).map((one) => one.trim())).toEqual(statements);
});

test('where a backslash escapes in every string, it does', () => {
  const text = String.raw`select '\'; delete from t'; select 2`;
  expect(splitStatements(text, true)).toHaveLength(2);
  expect(splitStatements(text)).toEqual([String.raw`select '\'`, " delete from t'; select 2"]);
});

test.each([
  ['delete from t', 'DELETE'],
  ['/* a /* b */ c */ DELETE FROM t', 'DELETE'],
  ['-- a\r\n  ((select 1))', 'SELECT'],
  [' ;\n delete from t', 'DELETE'],
  ['/*+ hint */delete/**/from t', 'DELETE'],
  ['with d as (select 1) select * from d', 'SELECT'],
  ['with d as (delete from t returning 1) select * from d', 'DELETE'],
  ['with a as (select 1), d as not materialized (/* - */ update t set x = 1) table d', 'UPDATE'],
  ['with d(delete) as (select coalesce(update) from (select 1)) select * from d', 'SELECT'],
  ['with d as (delete from t returning *) insert into u select * from d', 'INSERT'],
  ['WITH RECURSIVE a AS (SELECT 1), b AS (TABLE a) INSERT INTO t SELECT * FROM b', 'INSERT'],
  ['with x as (select 1) something', 'WITH'],
  ['', undefined],
  ['/* a', undefined],
  ['‹cut›', undefined],
])('the verb of %j is %j', (statement, verb) => {
  expect(verbOf(statement)).toBe(verb);
});

test('whatever it is, nothing but ends and what is empty is lost', () => {
  const piece = fc.constantFrom(
    ...["'", '"', ';', '$$', '$a$', '--', '\n', '/*', '*/', '(', ')', 'e', '\\'],
    ' a ',
  );
  fc.assert(
    fc.property(fc.array(piece), fc.boolean(), (pieces, escapes) => {
      const text = pieces.join('');
      let at = 0;
      for (const statement of splitStatements(text, escapes)) {
        at = text.indexOf(statement, at);
        expect(at).toBeGreaterThanOrEqual(0);
        at += statement.length;
      }
    }),
  );
});
