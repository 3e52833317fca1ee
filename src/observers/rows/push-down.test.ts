import { expect, test } from 'vitest';
import { pushDown } from './push-down.ts';
import type { TableShape } from './table-catalogue.ts';

function shapeOf(columns: Readonly<Record<string, string>>): TableShape {
  return {
    schema: 's',
    name: 't',
    kind: 'table',
    isSecondary: false,
    columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
    key: [],
  };
}

const id = '0b1d8a9e-3c5f-4a7b-8c1d-2e3f4a5b6c7d';

test.each([
  [{ a: 'x' }, { a: 'text' }, '"a" = $1::text', ['x']],
  [{ a: { $eq: 'x' } }, { a: 'varchar' }, '"a" = $1::text', ['x']],
  [{ a: 'x' }, { a: 'enum' }, '"a"::text = $1::text', ['x']],
  [{ a: 7, b: true }, { a: 'int4', b: 'bool' }, '"a" = $1::bigint AND "b" = $2::boolean', ['7', 'true']],
  [{ a: 0.1 }, { a: 'numeric' }, '"a" = $1::numeric', ['0.1']],
  [{ a: null }, { a: 'text' }, '"a" IS NULL', []],
  [{ a: id }, { a: 'uuid' }, '"a" = $1::uuid', [id]],
  [{ 'a"b': 1 }, { 'a"b': 'int8' }, '"a""b" = $1::bigint', ['1']],
])('%o on %o is decided by the database', (where, columns, text, values) => {
  expect(pushDown(where, shapeOf(columns as Record<string, string>))).toEqual({ text, values });
});

test.each([
  ['a text for a number', { a: '7' }, 'int4'],
  ['a number for a text', { a: 7 }, 'text'],
  ['half a row', { a: 7.5 }, 'int4'],
  ['a number that no bigint holds', { a: 1e300 }, 'int8'],
  ['a column that prints otherwise than it compares', { a: 0.1 }, 'float4'],
  ['a padded text', { a: 'x' }, 'bpchar'],
  ['no uuid', { a: 'x' }, 'uuid'],
  ['a JSON null', { a: null }, 'jsonb'],
  ['an operator', { a: { $gte: 7 } }, 'int4'],
  ['a map', { a: { b: 1 } }, 'jsonb'],
  ['a map inside of $eq', { a: { $eq: { $eq: 1 } } }, 'int4'],
  ['a text that cannot be stored', { a: 'x\0y' }, 'text'],
  ['half of a pair', { a: '\ud800' }, 'text'],
  ['no map at all', ['x'], 'text'],
])('%s is left to the pattern', (_, where, type) => {
  expect(pushDown(where, shapeOf({ a: type }))).toEqual({ text: '', values: [] });
});
