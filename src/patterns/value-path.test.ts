import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extendPath, type PathKey, parsePath } from './value-path.ts';

const keys = fc.array(
  fc.oneof(fc.nat(), fc.string(), fc.constantFrom('a', 'content-type', '$ref', '__proto__', '', '$')),
  {
    minLength: 1,
  },
);

test('a printed path reads back as its keys', () => {
  fc.assert(
    fc.property(keys, (path: PathKey[]) => {
      expect(parsePath(path.reduce<string>(extendPath, '$'))).toEqual(path);
    }),
  );
});

test.each<[string, PathKey[]]>([
  ['$', []],
  ['a', ['a']],
  ['a.b[0].c', ['a', 'b', 0, 'c']],
  ['$.a', ['a']],
  ['[2][3]', [2, 3]],
  ['$[2]', [2]],
  ['$ref', ['$ref']],
  ['a.$ref', ['a', '$ref']],
  ['headers.content-type', ['headers', 'content-type']],
  ['["a.b"].c', ['a.b', 'c']],
])('%s', (text, expected) => expect(parsePath(text)).toEqual(expected));

test.each([
  '',
  '.a',
  'a..b',
  'a.',
  'a[',
  'a[]',
  'a[-1]',
  'a[x]',
  'a]',
  '[0]a',
  'a["b]',
  'a["\\q"]',
  '$.',
  '$..a',
])('not a path: %s', (text) => expect(parsePath(text)).toBeUndefined());
