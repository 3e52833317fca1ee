import { expect, test } from 'vitest';
import { inlineWords } from './inline-words.ts';

test.each<[string, readonly string[]]>([
  ['SET k 1', ['SET', 'k', '1']],
  ['\t GET  k ', ['GET', 'k']],
  ['', []],
  [String.raw`SET k "a b\"c\\d\n\x41\q"`, ['SET', 'k', 'a b"c\\d\nAq']],
  [String.raw`SET k 'a \'b\n'`, ['SET', 'k', String.raw`a 'b\n`]],
  [`SET k "" ''`, ['SET', 'k', '', '']],
  ['SET a"b c" 1', ['SET', 'ab c', '1']],
  ['SET k gr\xc3\xbc\xc3\x9fe', ['SET', 'k', 'grüße']],
  [String.raw`SET k "\xc3\xbc"`, ['SET', 'k', 'ü']],
  ['SET k \xff', ['SET', 'k', '‹no-utf8›']],
])('the words of %j', (line, words) => {
  expect(inlineWords(line)).toEqual(words);
});

test.each(['SET k "a', "SET k 'a", 'SET k "a"b', String.raw`SET k 'a\'`, String.raw`SET k "a\"`])(
  'quotes that Redis refuses: %s',
  (line) => {
    expect(inlineWords(line)).toBeUndefined();
  },
);
