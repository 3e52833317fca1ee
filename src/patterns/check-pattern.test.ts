import { describe, expect, test } from 'vitest';
import { checkPattern } from './check-pattern.ts';
import { operatorTable } from './operators/operator-table.ts';
import { patternLimits } from './pattern-limits.ts';

const wrongOperands: Readonly<Record<string, readonly unknown[]>> = {
  $any: ['ok', [], {}, null],
  $all: [5, []],
  $not: [undefined, { $nothing: 1 }],
  $eq: [undefined, () => 1],
  $ne: [undefined, new Map()],
  $lt: [null, true, [1], Number.NaN],
  $lte: [{}],
  $gt: [undefined],
  $gte: [[]],
  $between: [5, [1], [1, 2, 3], [3, 1], ['1s', '1KB'], [1, 'x'], [null, 2]],
  $regex: ['(', 5, /x/, null],
  $startsWith: [5, ['a']],
  $endsWith: [null],
  $each: [undefined, { $typ: 'string' }],
  $some: [{ $length: -1 }],
  $contains: [[], undefined, [{ $x: 1 }]],
  $length: [-1, 1.5, 'two', [1], null, { $gtee: 2 }],
  $unordered: [{}, 'a', [{ $x: 1 }]],
  $overlap: [-1, 0.5, 'none', [1], null, { $gtee: 2 }],
  $hmac: ['key', {}, { key: 'x' }, { key: 'x', in: 'a', of: 'b' }, { key: '', in: 'a' }],
  $type: ['text', 5, null, ['string']],
  $path: [{}, 'a.b', { 'a..b': 1 }, { '': 1 }, { 'a[': 1 }, { 'a[x]': 1 }, { a: { $x: 1 } }],
  $absent: [false, 1, null],
  $present: [false, 'true'],
};

describe('operands', () => {
  test.each([...operatorTable.keys()])('%s refuses a wrong operand', (name) => {
    expect(wrongOperands[name]?.length).toBeGreaterThan(0);
    for (const operand of wrongOperands[name] ?? []) {
      const faults = checkPattern({ deep: [{ [name]: operand }] });
      expect([operand, faults.length]).toEqual([operand, 1]);
      expect(faults[0]?.path.startsWith(`$.deep[0].${name}`)).toBe(true);
      expect(faults[0]?.allowed).not.toBe('');
    }
  });

  test('a fault shows the value and what is allowed', () => {
    expect(checkPattern({ n: { $between: [3, 1] } })).toEqual([
      {
        path: '$.n.$between',
        what: '$between begins after its end, so nothing can be between: [3, 1]',
        allowed: expect.stringMatching(/^a list of two/),
      },
    ]);
    expect(checkPattern({ $between: ['$600', '$6,000'] })[0]?.what).toMatch(
      /^\$between has two ends that cannot be compared/,
    );
  });

  test('presence takes nothing but true', () => {
    expect(checkPattern({ a: { $absent: false } })[0]).toMatchObject({ allowed: 'true' });
  });

  test('only flags without state are allowed, and only beside $regex', () => {
    expect(checkPattern({ $regex: 'x', $flags: 'im' })).toEqual([]);
    expect(checkPattern({ $regex: 'x', $flags: 'g' })[0]?.what).toMatch(/flags "g"/);
    expect(checkPattern({ $flags: 'i' })[0]).toMatchObject({
      what: '$flags without $regex',
      allowed: '$flags beside $regex',
    });
  });
});

describe('operators', () => {
  test('an unknown one is reported with the nearest', () => {
    expect(checkPattern({ rows: [{ $lenght: 2 }] })).toMatchObject([
      { path: '$.rows[0].$lenght', what: 'unknown operator $lenght', nearest: '$length' },
    ]);
    expect(checkPattern({ $zigzag: 0 })[0]).not.toHaveProperty('nearest');
  });

  test('all faults are found in one look', () => {
    const faults = checkPattern({ a: { $regx: 1 }, b: [{ $type: 'text' }], $any: [{ $absent: false }] });
    expect(faults.map(({ path }) => path)).toEqual(['$.a.$regx', '$.b[0].$type', '$.$any[0].$absent']);
  });

  test('in the data of $eq and $ne a dollar has no meaning', () => {
    expect(checkPattern({ $eq: { $ref: '#/x', $any: 5, gone: undefined } })).toEqual([]);
  });
});

describe('values that are not patterns', () => {
  test.each([
    [undefined],
    [() => 1],
    [Symbol('s')],
    [/x/],
    [new Map()],
    [new Set([1])],
    [Number.NaN],
    [-Infinity],
  ])('%o', (pattern) => {
    expect(checkPattern({ a: pattern })).toMatchObject([
      { path: '$.a', what: expect.stringMatching(/is not a pattern/) },
    ]);
  });

  test('is reported by its name', () => {
    expect(checkPattern(new Map()).map(({ what }) => what)).toEqual(['a Map is not a pattern']);
  });

  test('dates, bytes, big integers and objects without prototype are patterns', () => {
    expect(checkPattern([new Date(0), Buffer.from('x'), 5n, Object.create(null)])).toEqual([]);
  });
});

describe('references', () => {
  const open = {
    $between: '${range}',
    $regex: '(${id}',
    n: { $length: '${n}' },
    m: { $between: ['${a}', 5] },
  };

  test('are not checked while they are open', () => expect(checkPattern(open)).toEqual([]));

  test('are refused where they should have been resolved', () => {
    expect(checkPattern(open, 'resolved').map(({ path }) => path)).toEqual([
      '$.$between',
      '$.$regex',
      '$.n.$length',
      '$.m.$between',
    ]);
  });
});

describe('limits', () => {
  const nest = (levels: number): unknown => (levels === 0 ? 1 : { $not: nest(levels - 1) });

  test('a pattern may be nested so deep and no deeper', () => {
    expect(checkPattern(nest(patternLimits.patternDepth))).toEqual([]);
    expect(checkPattern(nest(patternLimits.patternDepth + 1))).toMatchObject([
      { what: expect.stringMatching(/too large/) },
    ]);
  });

  test('a pattern that contains itself, also many times over, is one fault', () => {
    const pattern: Record<string, unknown> = {};
    Object.assign(pattern, { a: pattern, b: pattern, $eq: [pattern, pattern] });
    expect(checkPattern(pattern)).toHaveLength(1);
  });

  test('a pattern may hold so many values and no more', () => {
    expect(
      checkPattern({ $eq: Array.from({ length: patternLimits.patternNodes + 1 }, () => 0) }),
    ).toHaveLength(1);
  });
});
