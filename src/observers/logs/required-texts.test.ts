import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import { quickestPart, requiredTexts } from './required-texts.ts';

test.each([
  ['\\b(ERROR|FATAL)\\b|Traceback', ['ERROR', 'FATAL', 'Traceback']],
  ['^WARN bad frame$', ['WARN bad frame']],
  ['ab+c', ['ab']],
  ['abc?', ['ab']],
  ['a*bcd', ['bcd']],
  ['x(?:abc|de)yz', ['abc', 'de']],
  ['x(?<name>abcd)', ['abcd']],
  ['(abc){2}', ['abc']],
  ['\\[error\\]\\s+\\d+ lost', ['[error]']],
  ['[Ee]rror', ['rror']],
  ['panic: .* goroutine', [' goroutine']],
  ['a{2}b', ['a']],
  ['ab(?!x|yy)cd', ['abcd']],
  ['^(?:(?!INFO).)*?ERROR(?<=OR)', ['ERROR']],
])('%s', (source, texts) => {
  expect(requiredTexts(source)).toEqual(texts);
});

test.each([
  '',
  'a|',
  '.*',
  '(a|b*)',
  '(?=x)',
  'a\\u0041',
  '\\x41',
  '\\p{L}',
  'a{',
  '(?i:abc)',
  '[^a]+',
  'é+',
  '(abc)?',
])('%s demands nothing that is known', (source) => {
  expect(requiredTexts(source)).toBeUndefined();
});

/** Expressions put together at random from all that is understood. */
const { expression } = fc.letrec<{ expression: string; sequence: string; atom: string }>((tie) => ({
  expression: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')),
  sequence: fc.array(tie('atom'), { maxLength: 4 }).map((parts) => parts.join('')),
  atom: fc
    .tuple(
      fc.oneof(
        { maxDepth: 2 },
        fc.constantFrom('a', 'b', 'ab', 'é', '.', '\\d', '\\.', '\\b', '[ab]', '[^a]', '^', ' '),
        tie('expression').map((inner) => `(${inner})`),
        tie('expression').map((inner) => `(?:${inner})`),
        tie('expression').map((inner) => `(?!${inner})`),
        tie('expression').map((inner) => `(?=${inner})`),
      ),
      fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '+?'),
    )
    // A mark that takes no room cannot be repeated.
    .map(([piece, times]) => (/^(?:\^|\\b)$/.test(piece) ? piece : piece + times)),
}));

test('whatever an expression finds, one of the texts is in it', () => {
  const text = fc.stringMatching(/^[ab. é1]{0,8}$/);
  // Some of these expressions would run forever.
  const tester = createRegexTester();
  fc.assert(
    fc.property(expression, fc.array(text, { minLength: 5, maxLength: 20 }), (source, lines) => {
      const texts = requiredTexts(source);
      for (const line of lines)
        if (texts && tester.test(source, '', line))
          expect([source, line, texts.some((one) => line.includes(one))]).toEqual([source, line, true]);
    }),
    { numRuns: 2_000 },
  );
});

test('the quickest part begins with what is rare in a log, and is never short for it', () => {
  expect(['ERROR', ' broke', 'a Bc', 'no', 'in [error]', '000x'].map(quickestPart)).toEqual([
    'ERROR',
    'broke',
    'a Bc',
    'no',
    '[error]',
    '000x',
  ]);
});
