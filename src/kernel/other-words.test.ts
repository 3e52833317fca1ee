import { expect, test } from 'vitest';
import { meantKey } from './other-words.ts';

test.each([
  ['timeout', ['expect', 'within'], 'within'],
  ['within', ['timeout', 'expect'], 'timeout'],
  ['mocks', ['model', 'peers'], 'peers'],
  ['expct', ['expect', 'within'], 'expect'],
  ['constructor', ['expect'], undefined],
])('%s is understood', (word, allowed, meant) => {
  expect(meantKey(word, allowed)).toBe(meant);
});
