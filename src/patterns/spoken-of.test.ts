import { expect, test } from 'vitest';
import { canMatch, spokenOf } from './spoken-of.ts';

test.each<[unknown, 'list' | 'map', readonly string[]]>([
  [[{ a: 1 }, { b: 2 }], 'list', ['[0].a', '[1].b']],
  [{ $each: { a: { b: 1 } } }, 'list', ['$each.a']],
  [
    { $not: { $some: { $any: [{ a: 1 }, { b: 1 }] } } },
    'list',
    ['$not.$some.$any[0].a', '$not.$some.$any[1].b'],
  ],
  [{ $contains: [{ a: 1 }], $length: 2 }, 'list', ['$contains[0].a']],
  [{ a: 1, $not: { b: 1 } }, 'map', ['a', '$not.b']],
  [{ $eq: { a: 1 } }, 'map', []],
  ['a', 'list', []],
])('%o of a %s mentions %o', (pattern, form, expected) => {
  const shown = spokenOf(pattern, form).map(({ at }) =>
    at.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join(''),
  );
  expect(shown.map((text) => text.replace(/^\./, ''))).toEqual(expected);
});

test('what no list, or no map, could match', () => {
  for (const pattern of [
    'a',
    5,
    null,
    { a: 1 },
    { $regex: 'a' },
    { $any: ['a', { b: 1 }] },
    { $eq: { a: 1 } },
  ])
    expect([pattern, canMatch(pattern, 'list')]).toEqual([pattern, false]);
  for (const pattern of [
    '${a.b}',
    [],
    { $some: { a: 1 } },
    { $any: ['a', []] },
    { $not: [] },
    { $length: 1 },
  ])
    expect([pattern, canMatch(pattern, 'list')]).toEqual([pattern, true]);
  for (const pattern of ['a', [], { $some: 1 }, { $eq: [] }]) expect(canMatch(pattern, 'map')).toBe(false);
  for (const pattern of [{ a: 1 }, { $not: { a: 1 } }, { $eq: {} }])
    expect(canMatch(pattern, 'map')).toBe(true);
});
