import { describe, expect, test } from 'vitest';
import { moreNotKept } from '../kernel/not-kept.ts';
import { Problem, Problems } from '../kernel/problem.ts';
import { matchPattern } from './match-pattern.ts';
import { patternLimits } from './pattern-limits.ts';

const matches = (pattern: unknown, value: unknown): boolean => matchPattern(pattern, value).matched;
const partsAt = (pattern: unknown, value: unknown): string[] =>
  matchPattern(pattern, value).mismatches.map(({ path }) => path);

describe('the plain forms', () => {
  test('a scalar means equal', () => {
    expect(matches('a', 'a')).toBe(true);
    expect(matches('1', 1)).toBe(false);
    expect(matches(0, false)).toBe(false);
    expect(matches(null, undefined)).toBe(false);
    expect(matches('', null)).toBe(false);
  });

  test('a map means subset, at every level', () => {
    const value = { status: 'accepted', session: { id: 's1', n: 2 } };
    expect(matches({ session: { n: 2 } }, value)).toBe(true);
    expect(partsAt({ status: 'refused', session: { n: 3, gone: 1 } }, value)).toEqual([
      '$.status',
      '$.session.n',
      '$.session.gone',
    ]);
  });

  test('an empty map asks for a map, whatever is in it', () => {
    expect(matches({}, { a: 1 })).toBe(true);
    for (const other of [[], 'text', null, undefined, 4]) expect(matches({}, other)).toBe(false);
  });

  test('a list means exactly these in this order', () => {
    expect(matches([1, { a: 2 }], [1, { a: 2, b: 3 }])).toBe(true);
    expect(matches([1, 2], [2, 1])).toBe(false);
    expect(matches([], [])).toBe(true);
    expect(matches([], {})).toBe(false);
    expect(matches([1], { 0: 1, length: 1 })).toBe(false);
  });

  test('a list of another length differs at the list, and both lengths are shown', () => {
    expect(matchPattern({ rows: [] }, { rows: [{ id: 1 }] }).mismatches).toEqual([
      { path: '$.rows', expected: 'exactly 0 elements', observed: '1 element: [{ id: 1 }]' },
    ]);
  });

  test('a missing key is reported with the existing keys', () => {
    const [mismatch] = matchPattern({ state: 'done' }, { status: 'done', id: 4 }).mismatches;
    expect(mismatch).toEqual({
      path: '$.state',
      expected: '"done"',
      observed: 'nothing (keys here: status, id)',
    });
  });

  test('a missing key fulfils only a pattern that mentions its absence', () => {
    const without = { status: 'ok', payment: {} };
    const denials = [
      { $ne: 'failed' },
      { $not: { $contains: 'x' } },
      { $not: { $not: 'a' } },
      { $any: [1, { $ne: 2 }] },
    ];
    for (const denial of denials)
      for (const pattern of [
        { gone: denial },
        { payment: { gone: denial } },
        { $path: { 'payment.items[0].gone': denial } },
      ]) {
        expect(matchPattern(pattern, without)).toMatchObject({
          matched: false,
          doubt: expect.stringContaining('$absent'),
        });
        expect(matchPattern(pattern, without).open).toBeUndefined();
        expect(matchPattern({ $not: pattern }, without)).toMatchObject({
          matched: false,
          open: expect.any(String),
        });
      }
    const ofAbsence = [
      { $absent: true },
      { $not: { $present: true } },
      { $not: { $present: true, $eq: 'failed' } },
      { $not: { $not: { $absent: true } } },
      { $any: [{ $absent: true }, { $ne: 'failed' }] },
      { $all: [{ $any: [{ $ne: 'failed' }, { $not: { $present: true } }] }] },
    ];
    for (const pattern of ofAbsence)
      expect([pattern, matches({ gone: pattern }, without)]).toEqual([pattern, true]);
    for (const pattern of [{ $not: { $absent: true } }, { $present: true, $ne: 1 }]) {
      expect(matches({ gone: pattern }, without)).toBe(false);
      expect(matches({ $not: { gone: pattern } }, without)).toBe(true);
    }
    expect(matches({ payment: { $not: { gone: 'x' } } }, without)).toBe(true);
    expect(matchPattern({ gone: { $ne: 'failed' } }, without).mismatches).toMatchObject([
      {
        path: '$.gone',
        expected: 'something here, anything but "failed"',
        observed: 'nothing (keys here: status, payment)',
      },
    ]);
  });

  test('operators and plain keys in one map must all hold', () => {
    const pattern = { $length: 2, name: { $startsWith: 'head', $endsWith: 'ache' } };
    expect(matches(pattern, { name: 'headache', severity: 7 })).toBe(true);
    expect(matches(pattern, { name: 'headache' })).toBe(false);
    expect(matches(pattern, { name: 'head', severity: 7 })).toBe(false);
    expect(matches(pattern, 'ab')).toBe(false);
  });
});

describe('values that JSON does not have', () => {
  test('a date is its ISO text', () => {
    const at = new Date('2026-03-01T10:00:00Z');
    expect(matches({ at: '2026-03-01T10:00:00.000Z' }, { at })).toBe(true);
    expect(matches({ at: { $gt: '2026-03-01T09:59:59Z', $type: 'string' } }, { at })).toBe(true);
    expect(matches({ at: { $lt: '2026-03-01T09:59:59Z' } }, { at })).toBe(false);
    expect(matches({ at }, { at: '2026-03-01T10:00:00.000Z' })).toBe(true);
    expect(matches(null, new Date(Number.NaN))).toBe(true);
  });

  test('bytes are their text, or hexadecimal if they are not text', () => {
    expect(matches('Voilà', Buffer.from('Voilà'))).toBe(true);
    expect(matches('hex:fffe', Uint8Array.of(0xff, 0xfe))).toBe(true);
    expect(matches(Buffer.from('a'), Buffer.from('b'))).toBe(false);
  });

  test('numbers: -0 equals 0, and a big integer equals its number', () => {
    expect(matches(0, -0)).toBe(true);
    expect(matches(7, 7n)).toBe(true);
    expect(matches(7n, 7)).toBe(true);
    expect(matches(2 ** 53, 2n ** 53n + 1n)).toBe(false);
    expect(matches({ $gte: 7 }, 7n)).toBe(true);
    expect(matches({ $lte: 7 }, Number.NaN)).toBe(false);
  });

  test('undefined is absent, in maps and in lists', () => {
    expect(matches({ a: { $absent: true } }, { a: undefined })).toBe(true);
    expect(matches([{ $absent: true }], [undefined])).toBe(true);
    expect(matches({ $eq: {} }, { a: undefined })).toBe(true);
    expect(matches({ $length: 0 }, { a: undefined })).toBe(true);
    const cut = ['a', 'b', moreNotKept(298, 'only the first 2 are kept')];
    expect(matches({ $length: 300 }, cut)).toBe(true);
    expect(matches({ $length: 3 }, cut)).toBe(false);
    expect(matches({ $length: { $lte: 200 } }, cut)).toBe(false);
  });

  test('functions and symbols match nothing', () => {
    for (const odd of [() => 1, Symbol('s')]) {
      expect(matches({}, odd)).toBe(false);
      expect(matches({ $type: 'object' }, odd)).toBe(false);
    }
  });

  test('inherited properties are not there', () => {
    expect(matches({ toString: { $present: true } }, {})).toBe(false);
    expect(matches({ constructor: { $present: true } }, [])).toBe(false);
    expect(matches(JSON.parse('{"__proto__":{"$present":true}}'), {})).toBe(false);
    expect(matches(JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}'))).toBe(true);
    expect(matches({ $path: { '__proto__.polluted': { $absent: true } } }, {})).toBe(true);
  });
});

describe('limits', () => {
  test('a value that contains itself', () => {
    const value: Record<string, unknown> = { name: 'loop' };
    value.self = value;
    expect(matches({ self: { self: { name: 'loop' } } }, value)).toBe(true);
    expect(partsAt({ $eq: { name: 'loop', self: {} } }, value)).toEqual(['$.self.name', '$.self.self']);
  });

  test('a match that takes too many steps is unknown, also inside $not', () => {
    const huge = Array.from({ length: patternLimits.matchSteps + 1 }, () => 1);
    for (const pattern of [{ $each: 1 }, { $not: { $each: 1 } }]) {
      const result = matchPattern(pattern, huge);
      expect(result).toMatchObject({ matched: false, exceeded: '1000000 comparisons' });
      expect(result.mismatches).toHaveLength(1);
    }
  });

  test('a text too large for an expression is unknown, also inside $not', () => {
    const text = 'a'.repeat(patternLimits.regexTextChars + 1);
    expect(matchPattern({ $not: { $regex: 'b' } }, text)).toMatchObject({ matched: false });
    expect(matchPattern({ $not: { $regex: 'b' } }, text).exceeded).toMatch(/1048576 characters/);
  });

  test('an expression that backtracks without end is stopped', () => {
    const result = matchPattern({ $regex: '^(a+)+$' }, `${'a'.repeat(60)}b`);
    expect(result.matched).toBe(false);
    expect(result.exceeded).toMatch(/1000 ms/);
  });

  test('mismatches are kept up to a limit, and the rest is counted', () => {
    const result = matchPattern(
      { $each: 0 },
      Array.from({ length: 250 }, () => 1),
    );
    expect(result.mismatches).toHaveLength(patternLimits.mismatches);
    expect(result.omitted).toBe(150);
  });

  test('printed values are short, whatever was observed', () => {
    const [mismatch] = matchPattern({ a: 1 }, { a: { deep: ['x'.repeat(1_000_000)] } }).mismatches;
    expect(mismatch?.observed.length).toBeLessThanOrEqual(patternLimits.printedChars);
    expect(mismatch?.observed).toMatch(/^\{ deep: \["xxx/);
  });
});

describe('an invalid pattern', () => {
  test('is thrown as a problem of the user', () => {
    expect(() => matchPattern({ a: { $regx: 'x' } }, {})).toThrow(Problem);
    expect(() => matchPattern({ $regx: 'x', $typ: 'y' }, {})).toThrow(Problems);
    try {
      matchPattern({ a: { $regx: 'x' } }, {});
    } catch (error) {
      expect(error).toMatchObject({
        code: 'config.bad-pattern',
        where: 'pattern at $.a.$regx',
        next: 'write $regex',
      });
    }
  });

  test('an operand that is still a reference cannot be matched with', () => {
    expect(() => matchPattern({ $between: '${range}' }, 4)).toThrow(Problem);
  });
});

describe('what may mean the same, or cannot be compared', () => {
  const offset = '2026-01-01T01:00:00+01:00';
  const utc = '2026-01-01T00:00:00Z';
  test.each<[unknown, unknown]>([
    ['202', 202],
    [202, '202'],
    ['true', true],
    ['post', 'POST'],
    ['not_found', 'NOT_FOUND'],
    [true, 1],
    [0, false],
    ['AAAAAAAA-2222-3333-4444-555555555555', 'aaaaaaaa-2222-3333-4444-555555555555'],
    ['AAAAAAAA222233334444555555555555', '{aaaaaaaa-2222-3333-4444-555555555555}'],
    [offset, utc],
    ['/charge', '/charge?id=1'],
    ['/users/jörg', '//users/j%C3%B6rg/'],
    [{ $gt: utc }, 'never'],
    [{ $lt: 5 }, '3'],
    [{ $gt: 1000 }, '$5,000.00'],
    [{ $gt: 1000 }, 'EUR 5000'],
    [{ $gt: 1000 }, 'NaN'],
    [{ $gt: 1000 }, 'Infinity'],
    [5000, '$5,000.00'],
    ['EUR 5.000,00', 5000],
    ['/charge', '/x/../charge'],
    [{ to: 'mallory' }, '{"to":"mallory","score":NaN}'],
  ])('%o and %o: does not match, and neither does the contrary', (pattern, value) => {
    for (const [wrapped, seen] of [
      [pattern, value],
      [{ a: pattern }, { a: value }],
      [{ $any: ['x', pattern] }, value],
      [{ $some: pattern }, ['x', value]],
      [{ $contains: [pattern] }, [value]],
    ]) {
      expect(matchPattern(wrapped, seen)).toMatchObject({ matched: false, doubt: expect.any(String) });
      expect(matchPattern(wrapped, seen).open).toBeUndefined();
      expect(matchPattern({ $not: wrapped }, seen)).toMatchObject({
        matched: false,
        open: expect.any(String),
      });
    }
  });

  test.each<[unknown, unknown]>([
    ['202', 203],
    ['bob', 'Bob'],
    [true, 0],
    [true, 2],
    ['/charge', '/charges?id=1'],
    ['/charge?id=2', '/charge?id=1'],
    [utc, '2026-01-01T00:00:01Z'],
    [{ $gt: utc }, '2025-01-01 00:00:00 UTC'],
    [{ $gt: utc }, null],
    [{ $lt: utc }, 'infinity'],
    [{ $gt: 1000 }, 'many'],
    [5000, '$50.00'],
    [5, '5 of 7'],
    ['/charge', '/charge/..'],
    [{ to: 'mallory' }, 'mallory'],
    [
      { a: 2, b: '1' },
      { a: 1, b: 1 },
    ],
  ])('%o is not %o for certain', (pattern, value) => {
    expect(matchPattern({ $not: pattern }, value).matched).toBe(true);
  });
});

test.each([
  [{ $lt: '1.10.0' }, '1.9.0'],
  [{ $gte: '1.10.0' }, '1.9.0'],
  [{ $between: ['v1', 'v2'] }, 'v10'],
  [{ $lt: '$6.00' }, '$5,000.00'],
  [{ $gte: '$0.00' }, '-$5,000.00'],
  [{ $lt: '12/31/2026' }, '01/02/2027'],
  [{ $lt: '900 ms' }, '2.5 seconds'],
])(
  '%o and %o: their characters may have another order than what they mean, so nothing is decided',
  (pattern, value) => {
    for (const one of [pattern, { $not: pattern }])
      expect(matchPattern(one, value)).toMatchObject({ matched: false, open: expect.any(String) });
  },
);

test('what is denied of a text is undecided where a part of a list, a map or a number is that text', () => {
  const cookies = { headers: { setCookie: ['session=abc; Path=/', 'a=b'] } };
  const values = { list: ['admin', 'x'], map: { password: 'x' }, deep: [{ msg: 'a password' }], code: 500 };
  const cases: readonly (readonly [unknown, unknown])[] = [
    [{ headers: { 'set-cookie': { $contains: 'session=' } } }, cookies],
    [{ headers: { 'set-cookie': { $regex: '^session=' } } }, cookies],
    [{ headers: { 'set-cookie': { $startsWith: 'session=' } } }, cookies],
    [{ headers: { 'set-cookie': 'session=abc; Path=/' } }, cookies],
    [{ list: 'admin' }, values],
    [{ map: { $regex: 'password' } }, values],
    [{ deep: { $regex: '^a pass' } }, values],
    [{ deep: { $endsWith: 'word' } }, values],
    [{ code: { $regex: '^5' } }, values],
    [{ text: { $contains: 'eve@example.com' } }, { text: 'to=eve%40example.com&cc=' }],
    [{ text: { $regex: 'a b@' } }, { text: 'to=a+b%40example.com' }],
    [{ path: { $endsWith: '/jörg' } }, { path: '/users/j%C3%B6rg' }],
  ];
  for (const [pattern, value] of cases) {
    expect([pattern, matchPattern(pattern, value).doubt]).toEqual([pattern, expect.any(String)]);
    expect([pattern, matchPattern({ $not: pattern }, value).open]).toEqual([pattern, expect.any(String)]);
  }
  const denials = [
    { list: { $not: { $regex: 'password' } } },
    { map: { $not: { $startsWith: 'word' } } },
    { code: { $not: { $regex: '^4' } } },
    { list: { $ne: 'adm' } },
    { list: { $not: { $contains: 'adm' } } },
  ];
  for (const pattern of denials) expect([pattern, matches(pattern, values)]).toEqual([pattern, true]);
  const call = { response: { headers: { 'set-cookie': 'a=b' } } };
  expect(matches({ response: { headers: { setCookie: { $absent: true } } } }, call)).toBe(false);
});

test('a denied map is undecided of a file with several YAML documents', () => {
  const files = [{ path: 'a.yaml', yaml: [{ kind: 'Service' }, { kind: 'Secret' }] }];
  expect(matchPattern([{ yaml: { $not: { kind: 'Secret' } } }], files).open).toBeDefined();
  expect(matches([{ yaml: { $not: { $some: { kind: 'Job' } } } }], files)).toBe(true);
});
