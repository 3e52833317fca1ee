import { expect, test } from 'vitest';
import { snapshotName } from '../sql-names.ts';
import { traitStatements } from './copy-database.ts';

const usual = { owner: 'owner', connectionLimit: -1, grants: undefined, settings: [] };

test('what is usual needs no statement', () => {
  expect(traitStatements('main', usual)).toEqual([]);
});

test('grants replace the default privileges', () => {
  const grants = [
    { to: null, privilege: 'TEMPORARY', grantable: false },
    { to: 'o"wner', privilege: 'CONNECT', grantable: true },
  ];
  expect(traitStatements('main', { ...usual, grants })).toEqual([
    'REVOKE ALL ON DATABASE "main" FROM PUBLIC, "owner"',
    'GRANT TEMPORARY ON DATABASE "main" TO PUBLIC',
    'GRANT CONNECT ON DATABASE "main" TO "o""wner" WITH GRANT OPTION',
  ]);
  expect(traitStatements('main', { ...usual, grants: [] })).toHaveLength(1);
});

test.each([
  ['search_path=health, public', 'SET "search_path" TO health, public'],
  ['search_path="$user", public', 'SET "search_path" TO "$user", public'],
  ['search_path=""', `SET "search_path" TO ''`],
  ['search_path=a, "", b', `SET "search_path" TO a, '', b`],
  ['search_path=', `SET "search_path" TO ''`],
  ['statement_timeout=3s', `SET "statement_timeout" TO '3s'`],
  ["app.motto=it's=so", `SET "app"."motto" TO 'it''s=so'`],
])('the setting %s', (text, statement) => {
  expect(traitStatements('main', { ...usual, settings: [{ role: null, text }] })).toEqual([
    `ALTER DATABASE "main" ${statement}`,
  ]);
  expect(traitStatements('main', { ...usual, settings: [{ role: 'web', text }] })).toEqual([
    `ALTER ROLE "web" IN DATABASE "main" ${statement}`,
  ]);
});

test('names of copies are short enough, different, and keep the mark in front', () => {
  expect(snapshotName('main')).toBe('main@snapshot');
  const long = [`shk_${'a'.repeat(59)}`, `shk_${'a'.repeat(58)}b`].map(snapshotName);
  expect(new Set(long).size).toBe(2);
  for (const name of long) {
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
    expect(name).toMatch(/^shk_a+_[0-9a-f]{8}@snapshot$/);
  }
});
