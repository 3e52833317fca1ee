/** Mutants never change the original, an example fulfils its pattern, and what a pattern forbids is found. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchPattern } from '../match-pattern.ts';
import { claimsOf } from './claims-of.ts';
import { exampleOf } from './example-of.ts';
import { applyMutant, pathOf, valueAt } from './mutant.ts';
import { mutantsAbout } from './mutants-about.ts';
import { textThatFits } from './text-that-fits.ts';

const json = fc.jsonValue({ maxDepth: 3 });

test('a mutant is applied at its place, and the original is unchanged', () => {
  fc.assert(
    fc.property(
      json,
      fc.array(fc.oneof(fc.constantFrom('a', 'b'), fc.nat(2)), { maxLength: 3 }),
      (value, keys) => {
        const before = JSON.stringify(value);
        const mutated = applyMutant(value, { keys, value: 'mutated' });
        expect(JSON.stringify(value)).toBe(before);
        const isReachable = keys.every((_, at) => typeof valueAt(value, keys.slice(0, at)) === 'object');
        if (isReachable) expect(valueAt(mutated, keys)).toBe('mutated');
      },
    ),
  );
});

test('a mutant never equals the original value', () => {
  fc.assert(
    fc.property(json, (value) => {
      for (const mutant of mutantsAbout(value, ['field']))
        expect(JSON.stringify(mutant.value), pathOf(mutant.keys)).not.toBe(JSON.stringify(value));
    }),
  );
});

test.each<[pattern: unknown, base: unknown]>([
  [{ status: 200, json: { ok: true } }, { status: 500 }],
  [{ $some: { a: 1 } }, [{ a: 2 }]],
  [{ $gte: 5 }, 1],
  [{ $lt: '16MB' }, 1e9],
  [{ $regex: '^WARN .* refused: \\d+$' }, 'all is well'],
  [{ $contains: ['a', 'b'] }, 'nothing'],
  [{ $length: { $gte: 3 } }, ['x']],
  [{ $path: { 'a.b[0]': { $type: 'string' } } }, {}],
  [{ $all: [{ a: 1 }, { b: { $startsWith: 'x' } }] }, {}],
  [[{ a: { $any: [1, 2] } }], []],
])('an example of %j', (pattern, base) => {
  expect(matchPattern(pattern, base).matched).toBe(false);
  expect(matchPattern(pattern, exampleOf(pattern, base)).matched).toBe(true);
});

test.each<[pattern: unknown, value: unknown]>([
  [{ a: { $not: 5 } }, { a: 4 }],
  [{ a: { $ne: 'x' } }, { a: 'y' }],
  [{ a: { $absent: true } }, {}],
  [{ a: { $gte: 3 } }, { a: 9 }],
  [{ a: { $between: [1, 3] } }, { a: 2 }],
  [{ $not: { $some: { bad: true } } }, [{ bad: false }]],
])('what %j forbids is among its contraries', (pattern, value) => {
  expect(matchPattern(pattern, value).matched).toBe(true);
  const { contrary } = claimsOf(pattern, value);
  expect(contrary.some((mutant) => !matchPattern(pattern, applyMutant(value, mutant)).matched)).toBe(true);
});

test('no mutant is impossible: a negative count, a status that does not exist', () => {
  expect(claimsOf({ status: { $gte: 0 } }, { status: 200 }).contrary).toEqual([]);
  expect(claimsOf({ itemCount: { $gte: 0 } }, { itemCount: 3 }).contrary).toEqual([]);
  expect(claimsOf({ balance: { $gte: 0 } }, { balance: 3 }).contrary).toHaveLength(1);
});

test('a text is found for expressions without look-around, and none where none can be', () => {
  const source = fc.constantFrom(
    'abc',
    'a|b',
    '(x|y)+z',
    '[0-9a-f]{8}',
    '\\d+ of \\d+',
    '^a?b*$',
    '(?:one|two) \\w+',
    'a\\.b',
    '\\u0041',
  );
  fc.assert(
    fc.property(source, (text) => {
      expect(textThatFits(text)).toMatch(new RegExp(text));
    }),
  );
  expect(textThatFits('x^')).toBeUndefined();
  expect(textThatFits('(?=a)b')).toBeUndefined();
  expect(textThatFits('[z-a]')).toBeUndefined();
});
