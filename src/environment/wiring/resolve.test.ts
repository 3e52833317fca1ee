import { expect, test } from 'vitest';
import { type Lookup, resolveKnown } from './resolve.ts';

const lookup: Lookup = ({ path: [head = 'nothing', ...rest] }) =>
  head.startsWith('db') ? rest.join('.') : undefined;

test.each([
  ['${', '${'],
  ['s/${/X/', 's/${/X/'],
  ['${db.url} ${db', 'url ${db'],
  ['${} ${HOME} ${x:-y} ${db.url', '${} ${HOME} ${x:-y} ${db.url'],
  ['$${db.url}', '${db.url}'],
])('in %s, references that cannot be resolved here stay unchanged', (text, expected) => {
  expect(resolveKnown(text, lookup)).toBe(expected);
});
