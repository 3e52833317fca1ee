import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRegexTester } from './bounded-regex.ts';
import { patternLimits } from './pattern-limits.ts';

test('answers as the expression itself does, watched or not', () => {
  const regexes = createRegexTester();
  const source = fc.constantFrom('^a', 'b$', 'a.*b.*a', '(ab)+', '(a|b){3}', '([ab])\\1', '^$', '.');
  fc.assert(
    fc.property(
      source,
      fc.constantFrom('', 'i', 's'),
      fc.stringMatching(/^[abAB\n]{0,40}$/),
      (expression, flags, text) => {
        expect(regexes.test(expression, flags, text)).toBe(new RegExp(expression, flags).test(text));
      },
    ),
    { numRuns: 50 },
  );
});

test.each([
  ['nested repetition', '^(a+)+$', `${'a'.repeat(60)}b`],
  ['overlapping alternatives', '^(a|a)*$', `${'a'.repeat(60)}b`],
  ['many repetitions in a row', '.*a.*a.*a.*a.*a.*x', 'a'.repeat(3_000)],
  ['many optional parts', `^${'a?'.repeat(40)}${'a'.repeat(40)}$`, `${'a'.repeat(60)}b`],
])('gives up on %s', (_name, source, text) => {
  expect(createRegexTester().test(source, '', text)).toBeUndefined();
});

test('a large text is searched, a too large one is not', () => {
  const text = `${'x'.repeat(patternLimits.regexTextChars - 1)}y`;
  expect(createRegexTester().test('y$', '', text)).toBe(true);
  expect(createRegexTester().test('y$', '', `${text}y`)).toBeUndefined();
});
