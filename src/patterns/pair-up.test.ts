import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairUp } from './pair-up.ts';

const table = fc
  .integer({ min: 0, max: 5 })
  .chain((size) => fc.array(fc.array(fc.boolean(), { minLength: size, maxLength: size }), { maxLength: 5 }));

test('pairs fit, nothing has two partners, and no pairing is larger', () => {
  fc.assert(
    fc.property(table, (fits) => {
      const rightCount = fits[0]?.length ?? 0;
      const partnerOf = pairUp(fits.length, rightCount, (left, right) => fits[left]?.[right] ?? false);
      const pairs = partnerOf.flatMap((left, right) => (left === undefined ? [] : [{ left, right }]));
      for (const { left, right } of pairs) expect(fits[left]?.[right]).toBe(true);
      expect(new Set(pairs.map(({ left }) => left)).size).toBe(pairs.length);
      expect(pairs.length).toBe(largestPairing(fits, 0, new Set()));
    }),
  );
});

test('each pair is tested once, and nothing else', () => {
  const asked: string[] = [];
  pairUp(4, 4, (left, right) => {
    asked.push(`${left}-${right}`);
    return (left + right) % 3 === 0;
  });
  expect(new Set(asked).size).toBe(asked.length);
  expect(asked.every((pair) => /^[0-3]-[0-3]$/.test(pair))).toBe(true);
});

/** By brute force. */
function largestPairing(fits: readonly boolean[][], left: number, taken: ReadonlySet<number>): number {
  const row = fits[left];
  if (!row) return 0;
  const without = largestPairing(fits, left + 1, taken);
  const withOne = row.flatMap((fit, right) =>
    fit && !taken.has(right) ? [1 + largestPairing(fits, left + 1, new Set([...taken, right]))] : [],
  );
  return Math.max(without, ...withOne);
}
