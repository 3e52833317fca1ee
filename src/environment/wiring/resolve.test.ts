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
])('of %s, what has no meaning here stands as it is', (text, expected) => {
  expect(resolveKnown(text, lookup)).toBe(expected);
});
