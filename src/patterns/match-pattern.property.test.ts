import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchPattern } from './match-pattern.ts';
import { extendPath } from './value-path.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Leaf {
  readonly path: string;
  readonly keys: readonly (string | number)[];
}

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

/** Data whose keys do not look like operators, so that it is its own subset pattern. */
const dollarless = json.filter((value) => !JSON.stringify(value).includes('"$'));

/** Patterns of every family, over small values, so that they hold about as often as not. */
const small = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'b', 'ab'), fc.constant(null));
const smallValue = fc.oneof(
  small,
  fc.array(small, { maxLength: 3 }),
  fc.record({ a: small }, { requiredKeys: [] }),
);
const { pattern: anyPattern } = fc.letrec<{ pattern: unknown }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    smallValue,
    fc.constantFrom(
      { $type: 'array' },
      { $type: 'integer' },
      { $regex: '^a' },
      { $lt: 2 },
      { $absent: true },
      { $present: true },
    ),
    fc.record({ $length: fc.nat(3) }),
    fc.record({ $overlap: fc.nat(3) }),
    fc.record({ $not: tie('pattern') }),
    fc.record({ $any: fc.array(tie('pattern'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ $all: fc.array(tie('pattern'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ $each: tie('pattern') }),
    fc.record({ $some: tie('pattern') }),
    fc.record({ $unordered: fc.array(tie('pattern'), { maxLength: 3 }) }),
    fc.record({ $contains: tie('pattern').filter((part) => !Array.isArray(part) || part.length > 0) }),
    fc.record({ a: tie('pattern') }),
    fc.array(tie('pattern'), { maxLength: 2 }),
  ),
}));

describe('equality', () => {
  test('every value equals itself', () => {
    fc.assert(fc.property(json, (value) => matchPattern({ $eq: value }, structuredClone(value)).matched));
  });

  test('every value is its own subset pattern', () => {
    fc.assert(fc.property(dollarless, (value) => matchPattern(value, structuredClone(value)).matched));
  });

  test('$eq agrees with the equality of the platform, $ne is its complement', () => {
    const tiny = fc.jsonValue({ maxDepth: 1, stringUnit: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(tiny.map(withoutNegativeZero), tiny.map(withoutNegativeZero), (a, b) => {
        const same = isDeepStrictEqual(a, b);
        expect(matchPattern({ $eq: a }, b).matched).toBe(same);
        const { matched, open } = matchPattern({ $ne: a }, b);
        expect(matched).toBe(!same && open === undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a changed leaf differs at exactly that path, as data and as pattern', () => {
    const leafCase = dollarless
      .filter((value) => leavesOf(value).length > 0)
      .chain((value) => fc.record({ value: fc.constant(value), leaf: fc.constantFrom(...leavesOf(value)) }));
    fc.assert(
      fc.property(leafCase, ({ value, leaf }) => {
        const changed = replaceAt(value, leaf.keys, { changed: 1 });
        for (const pattern of [{ $eq: value }, value]) {
          expect(matchPattern(pattern, changed).mismatches.map(({ path }) => path)).toEqual([leaf.path]);
        }
      }),
    );
  });

  test('an extra key is a difference for $eq but not for a map', () => {
    const map = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), dollarless);
    fc.assert(
      fc.property(map, dollarless, (value, extra) => {
        const larger = { ...value, EXTRA: extra };
        expect(matchPattern(value, larger).matched).toBe(true);
        expect(matchPattern({ $eq: value }, larger).mismatches.map(({ path }) => path)).toEqual(['$.EXTRA']);
      }),
    );
  });
});

describe('reads', () => {
  test('a subset pattern that holds has read its leaves and its lists, and nothing else', () => {
    fc.assert(
      fc.property(dollarless, fc.string(), (value, noise) => {
        const observed = addNoise(value, noise);
        const result = matchPattern(value, observed);
        expect(result.matched).toBe(true);
        expect([...result.reads].sort()).toEqual([...expectedReads(value, '$')].sort());
      }),
    );
  });

  test('every mismatch is on the way to something that was read, or inside of it', () => {
    fc.assert(
      fc.property(anyPattern, smallValue, (pattern, value) => {
        const { mismatches, reads } = matchPattern(pattern, value);
        for (const { path } of mismatches) {
          expect(reads.some((read) => path.startsWith(read) || read.startsWith(path))).toBe(true);
        }
      }),
    );
  });

  test('what was not read cannot change the answer', () => {
    fc.assert(
      fc.property(anyPattern, smallValue, smallValue, smallValue, (pattern, a, b, other) => {
        const before = matchPattern(pattern, { a, b });
        fc.pre(!before.reads.some((path) => path === '$' || path.startsWith('$.b')));
        expect(matchPattern(pattern, { a, b: other }).matched).toBe(before.matched);
        expect(matchPattern(pattern, { a }).matched).toBe(before.matched);
      }),
      { maxSkipsPerRun: 1_000 },
    );
  });
});

describe('logic', () => {
  test('$not is the complement, unless both may mean the same', () => {
    fc.assert(
      fc.property(anyPattern, smallValue, (pattern, value) => {
        const { matched, doubt } = matchPattern(pattern, value);
        const denied = matchPattern({ $not: pattern }, value);
        expect(denied.matched).toBe(!matched && doubt === undefined);
        expect(denied.open).toBe(doubt);
      }),
    );
  });

  test('$any and $all are or and and', () => {
    fc.assert(
      fc.property(anyPattern, anyPattern, smallValue, (left, right, value) => {
        const [a, b] = [matchPattern(left, value).matched, matchPattern(right, value).matched];
        expect(matchPattern({ $any: [left, right] }, value).matched).toBe(a || b);
        expect(matchPattern({ $all: [left, right] }, value).matched).toBe(a && b);
      }),
    );
  });

  test('matched means no mismatch, and every mismatch has its three parts', () => {
    fc.assert(
      fc.property(anyPattern, smallValue, (pattern, value) => {
        const { matched, mismatches } = matchPattern(pattern, value);
        expect(matched).toBe(mismatches.length === 0);
        for (const { path, expected, observed } of mismatches) {
          expect(path).toMatch(/^\$/);
          expect(expected).not.toBe('');
          expect(observed).not.toBe('');
        }
      }),
    );
  });

  test('$each is not $some of not', () => {
    fc.assert(
      fc.property(anyPattern, fc.array(small, { maxLength: 4 }), (pattern, list) => {
        fc.pre(list.every((value) => matchPattern(pattern, value).doubt === undefined));
        const all = matchPattern({ $each: pattern }, list).matched;
        expect(all).toBe(!matchPattern({ $some: { $not: pattern } }, list).matched);
      }),
    );
  });
});

describe('$unordered', () => {
  const shuffled = fc
    .array(json, { maxLength: 6 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));

  test('matches any shuffle', () => {
    fc.assert(
      fc.property(shuffled, ([list, mixed]) => {
        expect(matchPattern({ $unordered: list.map(($eq) => ({ $eq })) }, mixed).matched).toBe(true);
      }),
    );
  });

  test('does not match with one element lost, doubled or replaced', () => {
    fc.assert(
      fc.property(shuffled, ([list, mixed]) => {
        const pattern = { $unordered: list.map(($eq) => ({ $eq })) };
        expect(matchPattern(pattern, [...mixed, 'extra']).matched).toBe(false);
        if (mixed.length === 0) return;
        expect(matchPattern(pattern, mixed.slice(1)).matched).toBe(false);
        const replaced = matchPattern(pattern, [{ replaced: true, by: 'this' }, ...mixed.slice(1)]);
        expect(replaced.matched).toBe(false);
        expect(replaced.mismatches.every(({ path }) => path.startsWith('$[0]'))).toBe(true);
      }),
    );
  });
});

function withoutNegativeZero(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function leavesOf(value: Json, path = '$', keys: readonly (string | number)[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, keys }];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, part]) => leavesOf(part, extendPath(path, key), [...keys, key]));
}

function replaceAt(value: Json, keys: readonly (string | number)[], by: Json): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((part, index) => (index === key ? replaceAt(part, rest, by) : part));
  const entries = Object.entries(value as { [key: string]: Json });
  return Object.fromEntries(
    entries.map(([name, part]) => [name, name === key ? replaceAt(part, rest, by) : part]),
  );
}

function expectedReads(value: Json, path: string): string[] {
  if (Array.isArray(value))
    return [path, ...value.flatMap((part, index) => expectedReads(part, extendPath(path, index)))];
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Object.entries(value);
  if (entries.length === 0) return [path];
  return entries.flatMap(([key, part]) => expectedReads(part, extendPath(path, key)));
}

function addNoise(value: Json, noise: string): Json {
  if (Array.isArray(value)) return value.map((part) => addNoise(part, noise));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]): [string, Json] => [key, addNoise(part, noise)]);
  return Object.fromEntries([...entries, ['added by the test', noise]]);
}
