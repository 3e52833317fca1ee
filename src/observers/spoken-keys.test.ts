import { expect, test } from 'vitest';
import { refuseUnknownKeys, spokenKeys } from './spoken-keys.ts';

test.each([
  [undefined, []],
  ['text', []],
  [{ a: 1, b: { c: 2 } }, ['a', 'b']],
  [{ a: { $absent: true }, b: { $absent: false } }, ['b']],
  [{ $any: [{ a: 1 }, { $not: { b: 2 } }], $all: [{ c: 3 }], $size: 4 }, ['a', 'b', 'c']],
])('%j mentions %j', (where, keys) => {
  expect(spokenKeys(where)).toEqual(keys);
});

test('an unknown key is refused with the nearest one', () => {
  expect(() => refuseUnknownKeys({ method: 'x' }, ['method', 'path'], 'a call')).not.toThrow();
  expect(() => refuseUnknownKeys({ methd: 'x' }, ['method', 'path'], 'a call')).toThrow(
    '`where`: a call has no key methd; did you mean method?',
  );
});
