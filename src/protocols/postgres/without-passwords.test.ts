import { expect, test } from 'vitest';
import { cutMark } from '../../kernel/cut-mark.ts';
import { withoutPasswords } from './without-passwords.ts';

test.each([
  ["alter role ada password 'hunter2' valid until 'infinity'", " '‹cut›' valid until 'infinity'"],
  ["alter role ada password E'hunt\\'er2'", " '‹cut›'"],
  ["alter role ada password U&'hunter2'", " '‹cut›'"],
  ['alter role ada password $a$hunter2$a$', " '‹cut›'"],
  ["alter role ada password'hunter2'", "'‹cut›'"],
  ["alter role ada password /* it's */ 'hunter2'", " /* it's */ '‹cut›'"],
  ["alter role ada password -- it's\n 'hunter2'", " -- it's\n '‹cut›'"],
  ["alter role ada password 'hun'\n  'ter2'", " '‹cut›'"],
  [`alter role ada password 'hunter2${cutMark}`, ` '‹cut›'${cutMark}`],
])('the password of a role is not kept: %s', (statement, rest) => {
  expect(withoutPasswords(statement)).toBe(`alter role ada password${rest}`);
});

test.each([
  ["create subscription s connection 'host=db password=hunter2 port=5' publication p", ' port=5'],
  ["select * from dblink('dbname=x password=''hunter2 ''', 'select 1')", "'select 1'"],
])('the password of a connection is not kept: %s', (statement, kept) => {
  const shown = withoutPasswords(statement);
  expect(shown).not.toContain('hunter2');
  expect(shown).toContain(`password=${cutMark}`);
  expect(shown).toContain(kept);
});

test.each([
  'select password from users where id = 7',
  "update users set password = 'x' where name = ''",
  "select 'a' where password = crypt('x', password)",
  "select find_user('password'), 'x'",
  "select 'my password', 'x'",
])('what is none stays: %s', (statement) => {
  expect(withoutPasswords(statement)).toBe(statement);
});
