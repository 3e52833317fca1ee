import { expect, test } from 'vitest';
import { cutMark } from '../kernel/cut-mark.ts';
import { notRead } from '../kernel/not-kept.ts';
import { redactEvent } from './redact-event.ts';
import { createRedactor } from './redaction.ts';

const call = { type: 'call', request: { headers: {}, bytes: 0 } };
const redactor = createRedactor({});

test.each([
  [
    'in a literal, of which the reader took the beginning for all of it',
    `do $$ begin execute 'create role bob password '${cutMark}'undeclared-one'''; end $$`,
    "do $$ begin execute 'create role bob password ",
  ],
  [
    'in a literal',
    `select run('create role bob password ''undeclared''')`,
    `select run('create role bob password `,
  ],
  [
    'in a literal of a function that runs it',
    `select run('alter user bob password '${cutMark}'undeclared two''')`,
    `select run('alter user bob password `,
  ],
  [
    'joined',
    `do $$ begin execute 'alter role bob with password '${cutMark}'undeclared'); end $$`,
    `do $$ begin execute 'alter role bob with password `,
  ],
  [
    'filled in',
    `do $$ begin execute format('create role %I password %L', 'bob', 'undeclared'); end $$`,
    `do $$ begin execute format('create role %I password `,
  ],
])('the password of a statement that is made by another is not kept: %s', (_, statement, kept) => {
  const error = { message: 'no', internalQuery: statement };
  const clean = redactEvent({ ...call, protocol: 'postgres', method: 'DO', statement, error }, redactor);
  const cut = `${kept}${cutMark}`;
  expect(clean).toMatchObject({ statement: cut, error: { message: 'no', internalQuery: cut } });
  expect(redactEvent(clean, redactor)).toEqual(clean);
});

test.each([
  `create role al password '${cutMark}' valid until '2027-01-01'`,
  `create role al password '${cutMark}'; select 1`,
  'select password from users where id = 7',
  "update users set password = 'x' where name = ''",
  "execute find_user('password')",
])('what is none stays: %s', (statement) => {
  const event = { ...call, protocol: 'postgres', method: 'SELECT', statement, result: { rows: [] } };
  expect(redactEvent(event, redactor)).toEqual(event);
});

const hidden = notRead('credentials are not kept');
const pairs = ['maxmemory', '0', 'requirepass', 'undeclared', 'masterauth', ''];

test.each([
  ['CONFIG', ['GET', '*'], pairs, ['maxmemory', '0', 'requirepass', hidden, 'masterauth', '']],
  ['CONFIG', ['GET', 'masterauth'], { masterauth: 'undeclared' }, { masterauth: hidden }],
  ['EXEC', [], ['OK', ['masterauth', 'undeclared']], ['OK', ['masterauth', hidden]]],
  ['ACL', ['LIST'], ['user bob on #5e88 ~* +@all'], hidden],
  ['ACL', ['genpass'], 'undeclared', hidden],
  ['ACL', ['WHOAMI'], 'bob', 'bob'],
  ['LRANGE', ['settings', '0', '-1'], pairs, pairs],
])('a password in the answer to %s %j is not kept', (method, params, result, clean) => {
  const event = { ...call, protocol: 'resp', method, params, result };
  expect(redactEvent(event, redactor)).toEqual({ ...event, result: clean });
});

test('a secret that a cut of ours divides leaves nothing, as before an ellipsis', () => {
  const key = 'sk-live-Zx81QpLm93VtRw72';
  const statement = `insert into t values ('${key.slice(0, 9)}${cutMark}`;
  const event = { ...call, protocol: 'postgres', method: 'INSERT', statement };
  expect(redactEvent(event, createRedactor({ KEY: key }))).toMatchObject({
    statement: `insert into t values ('‹secret:KEY:first9›${cutMark}`,
  });
});
