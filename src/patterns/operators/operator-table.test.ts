import { describe, expect, test } from 'vitest';
import { exactNumber } from '../../kernel/exact-json.ts';
import { matchPattern } from '../match-pattern.ts';
import { operatorTable } from './operator-table.ts';

/** A pattern, values for which it holds, and values for which it does not. */
type Case = readonly [pattern: unknown, holds: readonly unknown[], fails: readonly unknown[]];

const span = (startedAt: number, endedAt: number): unknown => ({ startedAt, endedAt });

/** The example of GitHub's documentation. */
const github = {
  text: 'Hello, World!',
  headers: {
    'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  },
};
const ofGithub = {
  key: "It's a Secret to Everybody",
  in: 'headers.x-hub-signature-256',
  prefix: 'sha256=',
};

const cases: Readonly<Record<string, readonly Case[]>> = {
  $hmac: [
    [
      { $hmac: ofGithub },
      [github, { ...github, bytes: 13 }],
      [{ ...github, text: 'Hello, World' }, { ...github, headers: {} }, { text: 'x' }, [github], null],
    ],
  ],
  $any: [
    [{ $any: ['ok', 'degraded'] }, ['ok', 'degraded'], ['down', null, undefined, ['ok']]],
    [{ a: { $any: [{ $absent: true }, 1] } }, [{}, { a: 1 }], [{ a: 2 }, { a: null }]],
  ],
  $all: [[{ $all: [{ $gt: 1 }, { $lt: 5 }] }, [2, 4.5], [1, 5, 'x']]],
  $not: [
    [{ $not: 5 }, [4, '6', null], [5, '5', undefined]],
    [{ $not: { $regex: 'look.*look' } }, ['look', 7], ['look and look']],
  ],
  $eq: [
    [{ $eq: { $gte: 2 } }, [{ $gte: 2 }], [3, { $gte: 3 }, {}]],
    [
      { $eq: [1, { a: null }] },
      [[1, { a: null }]],
      [[1, {}], [1], [1, { a: null }, 2], [{ a: null }, 1], { 0: 1 }],
    ],
    [{ $eq: { a: undefined } }, [{}], [{ a: 1 }, { toString: 1 }]],
    [{ $eq: [undefined] }, [[undefined]], [[null], []]],
    [{ $eq: null }, [null], [undefined, 0, false, '']],
  ],
  $ne: [[{ $ne: { a: 1 } }, [{ a: 1, b: 2 }, {}, 5], [{ a: 1 }, undefined]]],
  $lt: [
    [{ $lt: 5 }, [4, -1, 4.9], [5, 6, '4', null, undefined, [4]]],
    [{ $lt: '1KB' }, [1023, '1000B', '0.9KB'], [1024, '1KB', '1MB', '1ms']],
    [{ $lt: '2026-03-01' }, ['2026-02-28', '2025-12-31T23:00:00Z'], ['2026-03-01', 5]],
  ],
  $lte: [
    [{ $lte: '16MB' }, [16 * 1024 * 1024, 0, '16MB'], [16 * 1024 * 1024 + 1, '17MB']],
    [{ $lte: 5 }, [5], [5.1]],
  ],
  $gt: [[{ $gt: '5s' }, [5001, '6s', '1m'], [5000, '5s', '4s', '5KB', 'later']]],
  $gte: [
    [{ $gte: 'b' }, ['b', 'c', 'ba'], ['a', 'B', 5]],
    [{ $gte: 2 }, [2, '2KB', 2n], [1, '1B']],
  ],
  $between: [
    [{ $between: [1, 3] }, [1, 2, 3], [0.9, 3.1, '2', null]],
    [{ $between: ['1s', '2s'] }, ['1500ms', 1500], [999, '3s', '1KB']],
  ],
  $regex: [
    [{ $regex: 'still there' }, ['are you still there?'], ['Still there', 5, null, ['still there']]],
    [{ $regex: '^still', $flags: 'im' }, ['x\nSTILL'], ['x still']],
    [{ $regex: '(ab|cd)+$' }, ['xxabcd'], ['abc']],
  ],
  $startsWith: [[{ $startsWith: 'ab' }, ['ab', 'abc'], ['xab', 'a', ['ab'], null]]],
  $endsWith: [[{ $endsWith: 'ab' }, ['ab', 'xab'], ['abx', 'b', 5]]],
  $each: [[{ $each: { $gt: 0 } }, [[1, 2], []], [[1, 0], { a: 1 }, 'ab', null]]],
  $some: [[{ $some: { a: 1 } }, [[{ a: 2 }, { a: 1, b: 1 }]], [[{ a: 2 }], [], { a: 1 }]]],
  $contains: [
    [{ $contains: 'ell' }, ['hello', ['ell', 'x']], ['help', ['hello'], { ell: 1 }, 5]],
    [{ $contains: ['he', 'lo'] }, ['hello', ['lo', 'he']], ['help', ['he']]],
    [{ $contains: { a: 1 } }, [{ a: 1, b: 2 }, [{ a: 1, b: 2 }]], [{ a: 2 }, [{ b: 1 }], 'a: 1']],
  ],
  $length: [
    [{ $length: 2 }, ['ab', [1, 2], { a: 1, b: 2 }, '👍x'], ['a', [1], {}, 2, null]],
    [{ $length: { $gte: 1, $lte: 2 } }, ['a', [1, 2]], ['', [1, 2, 3]]],
  ],
  $unordered: [
    [
      { $unordered: [1, 2] },
      [
        [2, 1],
        [1, 2],
      ],
      [[1], [1, 1], [1, 2, 2], [2, 1, 3], { 0: 1, 1: 2 }],
    ],
    // Greedy matching gives the first pattern the element that only the second can take.
    [
      { $unordered: [{ $type: 'number' }, 1] },
      [
        [1, 2],
        [2, 1],
      ],
      [
        [2, 3],
        [1, 'x'],
      ],
    ],
    [{ $unordered: [] }, [[]], [[1], {}]],
  ],
  $overlap: [
    [
      { $overlap: 0 },
      [[span(1, 2)], [span(2, 3), span(1, 2)], [span(2, 2), span(2, 2)]],
      [[], [span(1, 3), span(2, 4)], [span(1, 3), span(2, 2)], {}, 'x', null, [{ startedAt: 1 }], [5]],
    ],
    [{ $overlap: 2 }, [[span(0, 9), span(1, 5), span(2, 3), span(4, 8)]], [[span(0, 9), span(1, 5)]]],
    [
      { $overlap: { $lte: 1 } },
      [[span(0, 9), span(1, 2), span(3, 4)]],
      [[], [span(0, 9), span(1, 5), span(2, 3)], [{ startedAt: 1, endedAt: null }]],
    ],
  ],
  $type: [
    [{ $type: 'string' }, ['', 'a'], [1, null, undefined, []]],
    [{ $type: 'number' }, [1, 1.5, 1n], ['1', null]],
    [{ $type: 'integer' }, [1, -0, 1n], [1.5, '1', Number.NaN, Number.POSITIVE_INFINITY]],
    [
      { $type: 'integer' },
      ['1e309', '-1.25E+400', '12345678901234567890.0', '0.5e500', '1'.repeat(1_001)].map(exactNumber),
      ['1e-400', '12345678901234567890.5', '1234567890123456789012345e-1', '0.1e-999'].map(exactNumber),
    ],
    [{ $type: 'boolean' }, [true, false], [0, 'true']],
    [{ $type: 'object' }, [{}, { a: 1 }], [[], null, 'x']],
    [{ $type: 'array' }, [[], [1]], [{}, 'x']],
    [{ $type: 'null' }, [null], [undefined, 0, '']],
  ],
  $path: [
    [
      { $path: { 'a.b[0].c': 1, '$.a["odd key"]': { $present: true } } },
      [{ a: { b: [{ c: 1 }], 'odd key': 0 } }],
      [{ a: { b: [{ c: 2 }], 'odd key': 0 } }, { a: { b: [{ c: 1 }] } }, null, 5],
    ],
    [{ $path: { 'schema.$ref': '#/x' } }, [{ schema: { $ref: '#/x' } }], [{ schema: {} }]],
    [{ $path: { 'a.b': { $absent: true } } }, [{}, { a: {} }, 5], [{ a: { b: null } }]],
    [{ $path: { 'a.0': 1 } }, [{ a: [1] }, { a: { 0: 1 } }], [{ a: [2] }]],
    [{ $path: { $: 5 } }, [5], [6]],
  ],
  $absent: [[{ a: { $absent: true } }, [{}, { a: undefined }], [{ a: null }, { a: 0 }, 5, null]]],
  $present: [[{ a: { $present: true } }, [{ a: null }, { a: 0 }], [{}, { a: undefined }, 'a']]],
};

describe.each([...operatorTable.keys()])('%s', (name) => {
  const own = cases[name] ?? [];

  test('has cases of both kinds', () => {
    expect(own.some(([, holds, fails]) => holds.length > 0 && fails.length > 0)).toBe(true);
  });

  test.each(own)('%o', (pattern, holds, fails) => {
    for (const value of holds)
      expect(matchPattern(pattern, value)).toMatchObject({ matched: true, mismatches: [] });
    for (const value of fails) expect([value, matchPattern(pattern, value).matched]).toEqual([value, false]);
  });
});

/** What an operator reads, when it holds and when it does not. */
const reads: Readonly<Record<string, readonly [pattern: unknown, value: unknown, reads: readonly string[]]>> =
  {
    $any: [{ $any: [{ a: 1 }, { b: 2 }, { c: 3 }] }, { a: 0, b: 2 }, ['$.a', '$.b']],
    $all: [{ $all: [{ a: 1 }, { b: 2 }] }, { a: 0, b: 2 }, ['$.a', '$.b']],
    $not: [{ $not: { a: 1 } }, { a: 0, b: 2 }, ['$.a']],
    $eq: [{ a: { $eq: { b: [1] } } }, { a: { b: [2] } }, ['$.a', '$.a.b', '$.a.b[0]']],
    $ne: [{ a: { $ne: 1 } }, { a: 2 }, ['$.a']],
    $lt: [{ a: { $lt: 1 } }, { a: 2 }, ['$.a']],
    $lte: [{ a: { $lte: 1 } }, {}, ['$.a']],
    $gt: [{ a: { $gt: 1 } }, { a: 2 }, ['$.a']],
    $gte: [{ a: { $gte: 1 } }, { a: 2 }, ['$.a']],
    $between: [{ a: { $between: [1, 2] } }, { a: 2 }, ['$.a']],
    $regex: [{ a: { $regex: 'x' } }, { a: 2 }, ['$.a']],
    $startsWith: [{ a: { $startsWith: 'x' } }, { a: 'x' }, ['$.a']],
    $endsWith: [{ a: { $endsWith: 'x' } }, { a: 'x' }, ['$.a']],
    $each: [{ $each: { a: 1 } }, [{ a: 1 }, { b: 1 }], ['$', '$[0].a', '$[1].a']],
    $some: [{ $some: { a: 1 } }, [{ a: 0 }, { a: 1 }, { a: 2 }], ['$', '$[0].a', '$[1].a']],
    $contains: [{ $contains: 2 }, [1, 2, 3], ['$', '$[0]', '$[1]']],
    $length: [{ a: { $length: { $gt: 1 } } }, { a: [1, 2] }, ['$.a']],
    $unordered: [{ $unordered: [2, 1] }, [1, 2], ['$', '$[0]', '$[1]']],
    $overlap: [
      { $overlap: 0 },
      [{ startedAt: 1, endedAt: 2, method: 'x' }],
      ['$', '$[0].endedAt', '$[0].startedAt'],
    ],
    $hmac: [{ $hmac: ofGithub }, github, ['$.headers.x-hub-signature-256', '$.text']],
    $type: [{ a: { $type: 'object' } }, { a: { b: 1 } }, ['$.a']],
    $path: [{ $path: { 'a[1].b': 1 } }, { a: [] }, ['$.a[1].b']],
    $absent: [{ a: { $absent: true } }, {}, ['$.a']],
    $present: [{ a: { $present: true } }, { a: { b: 1 } }, ['$.a']],
  };

test.each([...operatorTable.keys()])('%s records what it read', (name) => {
  const [pattern, value, expected] = reads[name] ?? [];
  expect([...matchPattern(pattern, value).reads].sort()).toEqual(expected);
});

test('every case belongs to an operator', () => {
  expect(Object.keys(cases).filter((name) => !operatorTable.has(name))).toEqual([]);
});
