import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnyNumber, compareNumbers, ExactNumber, exactNumber, parseExactJson } from './exact-json.ts';

test.each([
  ['9007199254740993', 9007199254740993n],
  ['-9007199254740993', -9007199254740993n],
  ['9007199254740991', 9007199254740991],
  ['12345678901234567890123', 12345678901234567890123n],
  ['1e999', new ExactNumber('1e999')],
  ['-1E+999', new ExactNumber('-1E+999')],
  ['1e-999', new ExactNumber('1e-999')],
  ['4.9e-324', new ExactNumber('4.9e-324')],
  ['0.1000000000000000055511151231257827', new ExactNumber('0.1000000000000000055511151231257827')],
  ['1.5', 1.5],
  ['10.500000000000000000', 10.5],
  ['1e23', 1e23],
  ['-0', -0],
  ['0e999', 0],
])('%s is kept as it is', (literal, value) => {
  expect(parseExactJson(literal)).toEqual(value);
  expect(parseExactJson(`{"a":[${literal}],"b":"${literal}"}`)).toEqual({ a: [value], b: literal });
});

test('numbers are written with the digits that were read, at any place in a document', () => {
  const text = '{"id":9007199254740993,"rate":0.10000000000000000001,"list":[1e999,-1e-999,7]}';
  expect(JSON.stringify(parseExactJson(text))).toBe(text);
  expect(JSON.parse(JSON.stringify(parseExactJson(text), undefined, 2)).list).toHaveLength(3);
});

test('numbers of all kinds compare with each other', () => {
  const rising = [
    '-1e999', '-9007199254740993', '-9007199254740992', '-1.00000000000000000001', '-1', '-1e-999', '0', '1e-999',
    '0.1', '0.10000000000000000001', '1', '1.00000000000000000001', '9007199254740992', '9007199254740993',
    '9007199254740993.5', '1e23', '100000000000000000000001', '1e999', '1.1e999',
  ].map((literal) => exactNumber(literal)); // biome-ignore format: one list
  for (const [at, a] of rising.entries())
    for (const [other, b] of rising.entries()) expect(compareNumbers(a, b)).toBe(Math.sign(at - other));
  expect(compareNumbers(exactNumber('10e998'), exactNumber('1e999'))).toBe(0);
  expect(compareNumbers(exactNumber('1e23'), exactNumber('100000000000000000000000'))).toBe(0);
  expect(compareNumbers(Number.POSITIVE_INFINITY, 10n ** 400n)).toBe(1);
});

test('every number that JavaScript prints is read back as the same number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const back = parseExactJson(JSON.stringify(value)) as AnyNumber;
      expect(compareNumbers(back, value)).toBe(0);
      if (!Number.isInteger(value)) expect(back).toBe(value);
    }),
  );
  fc.assert(
    fc.property(fc.bigInt(), (value) => {
      expect(BigInt(String(parseExactJson(String(value))))).toBe(value);
    }),
  );
});
