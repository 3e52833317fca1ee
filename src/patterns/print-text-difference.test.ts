import { expect, test } from 'vitest';
import { patternLimits } from './pattern-limits.ts';
import { printTextDifference } from './print-text-difference.ts';

test('short texts are printed whole, wherever they differ', () => {
  const [left, right] = [`${'a'.repeat(100)}b`, `${'a'.repeat(100)}c`];
  expect(printTextDifference(left, right)).toEqual({ expected: `"${left}"`, observed: `"${right}"` });
});

test('long texts that differ at the beginning are printed from the beginning', () => {
  const { expected, observed } = printTextDifference(`x${'a'.repeat(1_000)}`, `y${'a'.repeat(1_000)}`);
  expect(expected).toMatch(/^"xa+…$/);
  expect(observed).toMatch(/^"ya+…$/);
});

test('long texts that differ later are printed from just before the difference', () => {
  const same = 'a'.repeat(1_000);
  expect(printTextDifference(`${same}b`, same)).toEqual({
    expected: `"${'a'.repeat(40)}b" (from character 960 of 1001)`,
    observed: `"${'a'.repeat(40)}" (from character 960 of 1000)`,
  });
});

test('both sides stay within what may be printed', () => {
  const { expected, observed } = printTextDifference(
    'a'.repeat(5_000),
    `${'a'.repeat(2_000)}${'b'.repeat(3_000)}`,
  );
  expect(expected.length).toBeLessThanOrEqual(patternLimits.printedChars);
  expect(observed.length).toBeLessThanOrEqual(patternLimits.printedChars);
});
