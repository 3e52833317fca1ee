import { expect, test } from 'vitest';
import { plainCopy, plainPattern } from './plain-copy.ts';

test('JSON values stay, and others become a text or a number', () => {
  const value = {
    text: 'a',
    nothing: null,
    left: undefined,
    when: new Date(0),
    bytes: Buffer.from('ä'),
    raw: Uint8Array.of(0xff),
    large: 2n ** 70n,
    small: 7n,
    fault: new RangeError('no'),
    where: new URL('http://a/b'),
    list: [1, null, [true]],
  };
  expect(plainCopy(value, 'it')).toEqual({
    text: 'a',
    nothing: null,
    when: '1970-01-01T00:00:00.000Z',
    bytes: 'ä',
    raw: 'hex:ff',
    large: 1180591620717411303424n,
    small: 7,
    fault: { name: 'RangeError', message: 'no' },
    where: 'http://a/b',
    list: [1, null, [true]],
  });
});

test.each([
  ['a promise', Promise.resolve(1), /at \$\.a it is a promise; write `await` before it/],
  ['a function', () => 1, /at \$\.a it is a function/],
  ['a map', new Map(), /at \$\.a it is a Map; write an object or a list/],
  ['an expression', /x/, /at \$\.a it is a RegExp; write \{ \$regex: "…" \}/],
  ['no number', 0 / 0, /at \$\.a it is NaN; allowed are finite numbers: write null or a text/],
  ['infinity', [-1 / 0], /at \$\.a\[0\] it is -Infinity/],
  ['an invalid date', new Date('x'), /at \$\.a it is an invalid Date; write null/],
  ['nothing in a list', [1, undefined], /at \$\.a\[1\] it is undefined; write null, or leave it out/],
  ['a hole in a list', new Array(1), /at \$\.a\[0\] it is undefined/],
  ['headers', new Headers({ a: 'b' }), /at \$\.a it is a Headers; write an object or a list/],
  ['a boxed number', Object(1), /at \$\.a it is a Number/],
  ['too much', 'x'.repeat(9_000_000), /more than 8388608 characters/],
])('%s is refused with its path', (_, value, message) => {
  expect(() => plainCopy({ a: value }, 'the evidence of x')).toThrow(message);
});

test('a value that contains itself is refused', () => {
  const round: Record<string, unknown> = {};
  round.round = round;
  expect(() => plainCopy(round, 'it')).toThrow(/levels, or itself/);
});

test('in a pattern, undefined and class instances are refused', () => {
  expect(plainPattern({ a: { $gte: 1 } }, 'it')).toEqual({ a: { $gte: 1 } });
  expect(() => plainPattern({ a: undefined }, 'it')).toThrow(/at \$\.a it is undefined/);
  expect(() => plainPattern({ $gt: 0 / 0 }, 'it')).toThrow(/at \$\.\$gt it is NaN/);
  expect(() => plainPattern([new (class Thing {})()], 'it')).toThrow(/at \$\[0\] it is a Thing/);
});
