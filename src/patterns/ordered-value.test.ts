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

const uncertain: readonly (readonly [string, string])[] = [
  ['$5,000.00', '$6.00'],
  ['-$5,000.00', '$0.00'],
  ['-$5', '-$3'],
  ['($5.00)', '$3.00'],
  ['($5.00)', '($3.00)'],
  ['5.00-', '3.00-'],
  ['EUR 5.000,00', 'EUR 6,00'],
  ['USD 5', 'EUR 6'],
  ['5.000,00', '6,00'],
  ['1,000', '200'],
  ['1 000', '200'],
  ["1'000", '200'],
  ['1_000', '200'],
  ['1e3', '200'],
  ['9e5', '1e6'],
  ['1e-5', '1e-3'],
  ['0x10', '9'],
  [' 10', '9'],
  ['-Infinity', '-5'],
  ['-Infinity', 'Infinity'],
  ['NaN', 'many'],
  ['−5', '1'],
  ['1/2', '1/3'],
  ['２-byte 10', '9'],
  ['２', '3'],
  ['2.5 s', '900 ms'],
  ['2 sec', '900 ms'],
  ['2.5 seconds', '900 ms'],
  ['00:00:05', '900 ms'],
  ['1.5 h', '30 m'],
  ['1 h', '9 m'],
  ['PT1H', 'PT30M'],
  ['PT90M', 'PT2H'],
  ['P1Y2M10DT2H30M00S', 'P1Y2M10DT20H30M0S'],
  ['1.5GiB', '900MiB'],
  ['1 GiB', '2 KiB'],
  ['01/02/2027', '12/31/2026'],
  ['31.12.2025', '01.01.2026'],
  ['31.12.25', '01.01.26'],
  ['1/11/27', '2/10/26'],
  ['31-12-2025_235900', '01-01-2026_000000'],
  ['01-Dec-2026_000000', '02-Jan-2027_000000'],
  ['Dec 1 2026', 'Jan 1 2026'],
  ['Dec 1 2027', 'Dec 2 2026'],
  ['12:30 PM', '01:30 PM'],
  ['10:00:00+02', '10:00:00+01'],
  ['2 days ago', '3 days ago'],
  ['release-1-10-0-rc', 'release-1-9-10-rc'],
  ['v9.10.1', 'v10.9.1'],
];

test.each(uncertain)('%o and %o: their characters may have another order than what they mean', (a, b) => {
  expect([compare(a, b), compare(b, a)]).toEqual([undefined, undefined]);
});

test.each<readonly [string, string]>([
  ['apple', 'pear'],
  ['Zebra', 'apple'],
  ['ORD-0001', 'ORD-0002'],
  ['ORD-2025-12', 'ORD-2026-01'],
  ['v1.9.1', 'v1.9.2'],
  ['1.10.12', '1.11.10'],
  ['$5.00', '$6.00'],
  ['10.0.0.1', '10.0.1.0'],
  ['09/15/2026', '10/15/2026'],
  ['2026-W05', '2026-W06'],
  ['2026/12/31', '2027/01/01'],
  ['20261231T235959Z', '20270101T000000Z'],
  ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123Z'],
  ['01HZX5V9K3M8P2Q7R4S6T8V9W0', '01J0A5V9K3M8P2Q7R4S6T8V9WX'],
  ['018f3e2a-7b1c-7def-8abc-1234567890ab', '018f3e2b-0000-7def-8abc-1234567890ab'],
  ['-NabcDEFghijkLMNopqr', '-OabcDEFghijkLMN1pqr'],
])('%o is before %o', (a, b) => expect([compare(a, b), compare(b, a)]).toEqual([-1, 1]));

test('a text is equal to itself', () => {
  for (const text of uncertain.flat()) expect([text, compare(text, text)]).toEqual([text, 0]);
});

test('two texts with an amount and a unit are decided only as their amounts are', () => {
  const amount = fc.tuple(fc.constantFrom('', '$', '€ ', '−', '-', 'EUR '), fc.nat(99_999));
  const text = ([unit, number]: readonly [string, number]): string => unit + number.toLocaleString('en-US');
  const value = ([unit, number]: readonly [string, number]): number => (/[-−]/.test(unit) ? -number : number);
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      const order = compare(text(a), text(b));
      if (order !== undefined) expect(order).toBe(Math.sign(value(a) - value(b)));
    }),
  );
});

test('dates in any one form are decided only as the days are', () => {
  const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  const locale = fc.constantFrom('en-US', 'en-GB', 'de-DE', 'sv-SE', 'fr-FR');
  const dateStyle = fc.constantFrom('short' as const, 'medium' as const, 'long' as const);
  fc.assert(
    fc.property(day, day, locale, dateStyle, (a, b, language, style) => {
      const form = new Intl.DateTimeFormat(language, { dateStyle: style, timeZone: 'UTC' });
      const order = compare(form.format(a), form.format(b));
      const [left, right] = [a, b].map((one) => Math.floor(one.getTime() / 86_400_000));
      if (order !== undefined) expect(order).toBe(Math.sign((left ?? 0) - (right ?? 0)));
    }),
  );
});

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
