import { expect, test } from 'vitest';
import { jsonSpellings } from './json-spellings.ts';

test('every spelling that JSON has for a text', () => {
  const expression = new RegExp(`^${jsonSpellings('a/"\\\n\u0001ü😀')}$`);
  for (const spelling of [
    String.raw`a/\"\\\n\u0001ü😀`,
    String.raw`\u0061\/\u0022\u005C\u000a\u0001\u00FC\uD83D\ude00`,
  ]) {
    expect(JSON.parse(`"${spelling}"`)).toBe('a/"\\\n\u0001ü😀');
    expect(spelling).toMatch(expression);
  }
  expect('b').not.toMatch(new RegExp(jsonSpellings('a')));
});
