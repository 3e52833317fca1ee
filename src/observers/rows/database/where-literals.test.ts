import { expect, test } from 'vitest';
import { type Literal, replaceLiterals } from './where-literals.ts';

const columns = [{ name: 'a', type: 'text', sqlType: 'pg_catalog.text', domain: null, equals: '=' }];
const shout = ({ value }: Literal): unknown => `${String(value)}!`;

test.each([
  [{ a: 'x' }, { a: { $eq: 'x!' } }],
  [{ a: 7 }, { a: { $eq: '7!' } }],
  [{ a: { $eq: 'x' } }, { a: { $eq: 'x!' } }],
  [{ a: { $ne: false } }, { a: { $ne: 'false!' } }],
  [{ a: { $any: ['x', { $not: 'y' }] } }, { a: { $any: [{ $eq: 'x!' }, { $not: { $eq: 'y!' } }] } }],
  [
    { $any: [{ a: 'x' }, { $not: { a: 'y' } }] },
    { $any: [{ a: { $eq: 'x!' } }, { $not: { a: { $eq: 'y!' } } }] },
  ],
  [{ a: new Date(0) }, { a: { $eq: '1970-01-01T00:00:00.000Z!' } }],
])('%o names its values', (where, replaced) => {
  expect(replaceLiterals(where, columns, shout)).toEqual(replaced);
  expect(replaceLiterals({ row: where }, columns, shout, true)).toEqual({ row: replaced });
});

test.each([
  ['no value', { a: null }],
  ['an operator', { a: { $gte: 7 } }],
  ['a part of a text', { a: { $contains: 'x' } }],
  ['a map', { a: { b: 1 } }],
  ['a list', { a: ['x'] }],
  ['a map inside $eq', { a: { $eq: { $eq: 1 } } }],
  ['a text that cannot be stored', { a: 'x\0y' }],
  ['half of a pair', { a: '\ud800' }],
  ['another key', { b: 'x' }],
  ['no map at all', ['x']],
])('%s is left to the pattern', (_, where) => {
  expect(replaceLiterals(where, columns, shout)).toEqual(where);
  expect(replaceLiterals(where, columns, shout, true)).toEqual(where);
});
