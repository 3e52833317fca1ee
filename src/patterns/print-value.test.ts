import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printValue } from './print-value.ts';

test('maps, lists and scalars', () => {
  const value = { a: [1, 'x', null, true], 'odd key': {}, none: undefined, list: [] };
  expect(printValue(value)).toBe('{ a: [1, "x", null, true], "odd key": {}, list: [] }');
  expect(printValue(undefined)).toBe('nothing');
  expect(printValue([undefined, 5n, Symbol('s'), new Date(0)])).toBe(
    '[nothing, 5, [symbol], "1970-01-01T00:00:00.000Z"]',
  );
});

test('control characters and quotes are shown, not written', () => {
  expect(printValue('a"\n\u001b[31m')).toBe('"a\\"\\n\\u001b[31m"');
});

test('whatever the value, the text is bounded', () => {
  fc.assert(
    fc.property(fc.anything(), fc.integer({ min: 10, max: 60 }), (value, maxChars) => {
      expect(printValue(value, maxChars).length).toBeLessThanOrEqual(maxChars);
    }),
  );
});

test('a cut text ends with an ellipsis and never in half a character', () => {
  expect(printValue('👍'.repeat(50), 10)).toMatch(/^"(👍)+\ufffd?…$/u);
  expect(printValue('👍'.repeat(50), 10).isWellFormed()).toBe(true);
});

test('cycles and huge values cost no more than what is shown', () => {
  const loop: unknown[] = [];
  loop.push(loop, loop, loop);
  expect(printValue(loop).length).toBeLessThanOrEqual(200);
  let touched = 0;
  const item = {
    get n() {
      touched += 1;
      return touched;
    },
  };
  expect(printValue(Array.from({ length: 1_000 }, () => item))).toMatch(/^\[\{ n: 2 \}, .*…$/);
  expect(touched).toBeLessThan(60);
});

test('a text that just fits is not cut', () => {
  expect(printValue('a'.repeat(8), 10)).toBe('"aaaaaaaa"');
  expect(printValue('a'.repeat(9), 10)).toBe('"aaaaaaaa…');
  expect(printValue([1, 2, 3], 9)).toBe('[1, 2, 3]');
  expect(printValue([1, 2, 3], 8)).toBe('[1, 2, …');
});

test('deeply nested values are omitted', () => {
  expect(printValue([[[[[[[1]]]]]]])).toBe('[[[[[[[…]]]]]]]');
  expect(printValue([[[[[[1]]]]]])).toBe('[[[[[[1]]]]]]');
  expect(printValue({ a: { a: { a: { a: { a: { a: { a: 1 } } } } } } })).toBe(
    '{ a: { a: { a: { a: { a: { a: {…} } } } } } }',
  );
});
