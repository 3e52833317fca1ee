import { expect, test } from 'vitest';
import { keyExpression, plainKey } from './key-glob.ts';

test.each([
  ['a*', ['a', 'abc', 'a\nb'], ['ba']],
  ['a?c', ['abc', 'a.c'], ['ac', 'abbc']],
  ['h[ae]llo', ['hallo', 'hello'], ['hillo']],
  ['h[^e]llo', ['hallo'], ['hello']],
  ['h[a-c]', ['hb'], ['hd', 'h-']],
  ['a\\*b', ['a*b'], ['axb']],
  ['[\\]x]', [']', 'x'], ['\\']],
  ['a.b{c,d}|$', ['a.b{c,d}|$'], ['axb{c,d}|$', 'a.bc']],
  ['a[]', [], ['a', 'a[]']],
  ['[ab', ['a', 'b'], ['[ab']],
])('%s', (glob, fits, others) => {
  const expression = new RegExp(keyExpression(glob), 'u');
  expect(fits.filter((key) => !expression.test(key))).toEqual([]);
  expect(others.filter((key) => expression.test(key))).toEqual([]);
});

test('a key in which nothing is special is that key', () => {
  expect(['jobs:1', 'a\\*', 'a\\\\', 'a*', '[x', 'a\\\\*'].map(plainKey)).toEqual([
    'jobs:1',
    'a*',
    'a\\',
    undefined,
    undefined,
    undefined,
  ]);
});
