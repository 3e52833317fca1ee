import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareOrdered, type OrderedValue, toOrdered } from './ordered-value.ts';

const compare = (a: unknown, b: unknown): number | undefined =>
  compareOrdered(toOrdered(a) as OrderedValue, toOrdered(b) as OrderedValue);

test.each<[unknown, unknown, number | undefined]>([
  [1, 2, -1],
  [2n, 1.5, 1],
  ['16MB', 16 * 1024 * 1024, 0],
  ['900ms', '1s', -1],
  ['1.5 KB', '1536B', 0],
  ['1s', '1KB', undefined],
  ['abc', 1, undefined],
  ['abc', '1KB', undefined],
  ['2026-03-01T00:00:00Z', '2026-03-01T01:30:00+02:00', 1],
  ['2026-03-01T00:00:00Z', '2026-03-01T00:00:00.000Z', 0],
  ['2026-03-01', '2026-02-28T23:59:59Z', 1],
  [new Date(1_000), new Date(2_000), -1],
  ['b', 'a', 1],
  ['2026-03-01T00:00:00.123456Z', '2026-03-01T00:00:00.123457Z', -1],
  ['1969-12-31T23:59:59.9Z', '1969-12-31T23:59:59.10Z', 1],
  ['2026-03-01 23:00:00+00:00', '2026-03-01T01:00:00Z', 1],
  ['2026-03-01 23:00:00.5 +0100', '2026-03-01t22:00:00,5z', 0],
  ['2026-03-01 23:00:00+01', 'Sun, 01 Mar 2026 22:00:00 GMT', 0],
  ['+012026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 1],
  ['2026-03-01T10:00:00', '2026-03-01 10:00:00.0', 0],
  ['2026-03-01T10:00:00', '2026-03-01', 1],
  ['2026-03-01T10:00:00', '2026-03-01T10:00:00Z', undefined],
  ['infinity', '2026-03-01T10:00:00Z', 1],
  ['2026-03-01', '-infinity', 1],
  ['infinity', 'infinity', 0],
  ['infinity', 5, undefined],
  ['2026-03-01', 'later', undefined],
  ['later', '2026-03-01', undefined],
  ['2026-99-99', '2026-03-01', undefined],
  ['2026-02-30', '2026-03-01', undefined],
  ['12026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', undefined],
  ['2026-99-99', '2026-98-98', 1],
  ['1000.00', '50.00', 1],
  ['-5', '-3', -1],
  ['1.50', '1.5', 0],
  ['007', '7', 0],
  ['50.00', 50, undefined],
  ['1.9.0', '1.10.0', undefined],
  ['1.9.0', '1.9.1', -1],
  ['9.10', '10.9', -1],
  ['v9.10.1', 'v10.9.1', undefined],
  ['10 days', '2 days', 1],
  ['1 mon', '29 days', 1],
  ['1 day 02:00:00', '25:59:59', 1],
  ['10:00:00', '9:00', 1],
  ['-1 days +02:00:00', '-22:00:00', 0],
  ['10 days', '2h', 1],
  ['2 hours', '90m', 1],
  ['10 days', 5, undefined],
  ['10 apples', '9 apples', undefined],
  ['01HZX5V9K3M8P2Q7', '01HZX5V9K3MAP2Q7', -1],
])('%o and %o', (a, b, expected) => expect(compare(a, b)).toBe(expected));

test('nothing else has an order', () => {
  for (const value of [null, undefined, true, [], {}, Number.NaN]) expect(toOrdered(value)).toBeUndefined();
});

test('swapping the sides reverses the order', () => {
  const value = fc.oneof(
    fc.integer(),
    fc.bigInt(),
    fc.constantFrom('1s', '2KB', 'x', '2026-01-01'),
    fc.string(),
  );
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [forth, back] = [compare(a, b), compare(b, a)];
      expect(forth === undefined ? back : forth + (back as number)).toBe(forth === undefined ? undefined : 0);
    }),
  );
});
