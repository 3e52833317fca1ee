import { expect, test } from 'vitest';
import { explainMismatch } from './explain-mismatch.ts';
import { matchPattern } from './match-pattern.ts';

const explain = (pattern: unknown, value: unknown): string => explainMismatch(matchPattern(pattern, value));

test('expected, observed and the path where they differ', () => {
  const text = explain(
    { status: 502, json: { outcome: 'failed', cause: { $any: ['provider', 'model'] } } },
    { status: 502, json: { outcome: 'ok', cause: null } },
  );
  expect(text).toBe(
    [
      'expected  "failed"',
      'observed  "ok"',
      'at        $.json.outcome',
      '',
      'expected  one of: "provider" | "model"',
      'observed  null',
      'at        $.json.cause',
    ].join('\n'),
  );
});

test('a match that held has nothing to explain', () => expect(explain({ a: 1 }, { a: 1 })).toBe('matched'));

test('the first few are shown, the others counted', () => {
  const text = explain(
    { $each: 0 },
    Array.from({ length: 250 }, () => 1),
  );
  expect(text.match(/^expected/gm)).toHaveLength(10);
  expect(text.endsWith('… and 240 more')).toBe(true);
  expect(
    explain(
      { $each: 0 },
      Array.from({ length: 11 }, () => 1),
    ),
  ).toMatch(/\n… and 1 more$/);
  expect(
    explain(
      { $each: 0 },
      Array.from({ length: 10 }, () => 1),
    ),
  ).not.toMatch(/more/);
});

test('a match that met a limit says that it is unknown', () => {
  expect(
    explain(
      { $each: 1 },
      Array.from({ length: 1_000_001 }, () => 1),
    ),
  ).toMatch(/^unknown: the match stopped at its limit of 1000000 comparisons\n/);
});

test('of two long texts, the place where they differ is shown', () => {
  const text = explain({ body: `${'same '.repeat(200)}left` }, { body: `${'same '.repeat(200)}right` });
  expect(text).toMatch(
    /^expected {2}".*same left" \(from character 960 of 1004\)\nobserved {2}".*same right" \(from/,
  );
});

test.each<[unknown, unknown, string]>([
  [{ $not: { $regex: 'look.*look', $flags: 's' } }, 'look look', 'not a text matching /look.*look/s'],
  [{ $all: [{ $gt: 1 }, { $lte: '16MB' }] }, 1, 'greater than 1'],
  [{ $lt: '5s' }, 9_000, 'less than 5s'],
  [{ $between: ['a', 'c'] }, 'd', 'between "a" and "c"'],
  [{ $gte: 2 }, null, 'at least 2'],
  [{ $length: { $gte: 2, $lte: 4 } }, [1], 'length at least 2 and at most 4'],
  [{ $unordered: [1, 2] }, 'x', 'these in any order: [1, 2]'],
  [{ $unordered: [{ $type: 'null' }, 2] }, [2], 'an element null'],
  [{ $unordered: [] }, [1], 'no further element'],
  [{ $contains: ['a', { $type: 'object' }] }, ['a'], 'something containing a map'],
  [{ $each: { $type: 'integer' } }, 4, 'a list with every element an integer'],
  [{ $some: {} }, [], 'a list with some element a map'],
  [{ a: { $absent: true } }, { a: 1 }, 'nothing here'],
  [{ a: { $present: true } }, {}, 'something here'],
  [{ $eq: { $ref: 1 } }, 4, '{ $ref: 1 }'],
  [{ $ne: 4 }, 4, 'anything but 4'],
  [{ $startsWith: 'x' }, 'y', 'a text starting with "x"'],
])('%o describes its expectation', (pattern, value, expected) => {
  expect(matchPattern(pattern, value).mismatches[0]?.expected).toBe(expected);
});

test('a length is shown with its value', () => {
  expect(matchPattern({ $length: 4 }, [1, 2]).mismatches).toEqual([
    { path: '$', expected: 'length 4', observed: 'length 2: [1, 2]' },
  ]);
});

test('an alternative that nearly held is shown beside the choice', () => {
  const pattern = { $any: [{ kind: 'a', n: 1 }, { kind: 'b' }] };
  expect(matchPattern(pattern, { kind: 'c', n: 1 }).mismatches.map(({ path }) => path)).toEqual([
    '$',
    '$.kind',
  ]);
});
