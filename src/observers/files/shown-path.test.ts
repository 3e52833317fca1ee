import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownPath } from './shown-path.ts';

const raw = (text: string): string => Buffer.from(text).toString('latin1');

test.each([
  ['a/b.txt', 'a/b.txt'],
  [raw('größe\n.txt'), 'größe\n.txt'],
  ['C:\\temp\\x', 'C:\\temp\\x'],
  ['a\xff\\b', 'a\\xff\\x5cb'],
  ['a\\xff', 'a\\x5cxff'],
  ['\xe2\x82/\xc3\xb6', '\\xe2\\x82/ö'],
  ['\xed\xa0\x80', '\\xed\\xa0\\x80'],
])('%j is shown as %j', (name, shown) => expect(shownPath(name)).toBe(shown));

test('two names are never shown as the same text', () => {
  const letters = fc.constantFrom('\\', 'x', 'f', '5', 'c', '\xff', '\xc3', '\xb6', '/', 'a', '\n');
  const name = fc.array(letters, { maxLength: 8 }).map((all) => all.join(''));
  fc.assert(
    fc.property(name, name, (one, other) => one === other || shownPath(one) !== shownPath(other)),
    { numRuns: 2_000 },
  );
});
