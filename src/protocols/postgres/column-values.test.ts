import { expect, test } from 'vitest';
import { isNotKept } from '../../kernel/not-kept.ts';
import { readText, readValue } from './column-values.ts';

const int = (bytes: number, value: bigint): Buffer => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64BE(value);
  return buffer.subarray(8 - bytes);
};

test.each([
  ['a truth value', 16, 't', Buffer.from([1]), true],
  ['a small integer', 21, '-7', int(2, -7n), -7],
  ['an integer', 23, '70000', int(4, 70000n), 70000],
  ['a large integer', 20, '9007199254740993', int(8, 9007199254740993n), 9007199254740993n],
  ['a text', 25, 'ünï', Buffer.from('ünï'), 'ünï'],
  ['JSON', 3802, '{"a": [1]}', Buffer.from('\x01{"a": [1]}'), { a: [1] }],
  [
    'a time with a zone',
    1184,
    '2026-11-17 05:00:00.25+00',
    int(8, 848_206_800_250_000n),
    '2026-11-17T05:00:00.250Z',
  ],
  ['a time with microseconds', 1114, '1999-12-31 23:59:59.999999', int(8, -1n), '1999-12-31T23:59:59.999999'],
  ['a day', 1082, '2000-03-01', int(4, 60n), '2000-03-01'],
  ['bytes', 17, '\\x00ff', Buffer.from([0, 255]), '\\x00ff'],
  [
    'an identifier',
    2950,
    '0e37df36-f698-11e6-8dd4-cb9ced3df976',
    Buffer.from('0e37df36f69811e68dd4cb9ced3df976', 'hex'),
    '0e37df36-f698-11e6-8dd4-cb9ced3df976',
  ],
  ['a decimal', 1700, '-12345.60', Buffer.from('0003000140000002000109291770', 'hex'), -12345.6],
])('%s is the same in both forms', (_, type, text, binary, value) => {
  expect(readValue(Buffer.from(text), type, 'text')).toEqual(value);
  expect(readValue(binary, type, 'binary')).toEqual(value);
});

test('a list is read in both forms, also nested, with nulls and quotes', () => {
  expect(readValue(Buffer.from('{1,NULL,3}'), 1007, 'text')).toEqual([1, null, 3]);
  expect(readValue(Buffer.from('{"a, b","c\\"d",e,NULL,"NULL"}'), 1009, 'text')).toEqual([
    'a, b',
    'c"d',
    'e',
    null,
    'NULL',
  ]);
  expect(readValue(Buffer.from('{{1,2},{3,4}}'), 1007, 'text')).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(readValue(Buffer.from('{}'), 1007, 'text')).toEqual([]);
  const binary = Buffer.concat([
    int(4, 1n),
    int(4, 1n),
    int(4, 23n),
    int(4, 2n),
    int(4, 1n),
    int(4, 4n),
    int(4, 5n),
    int(4, -1n),
  ]);
  expect(readValue(binary, 1007, 'binary')).toEqual([5, null]);
});

test('what is not of its form is shown as it came', () => {
  expect(readValue(Buffer.from('{1,2'), 1007, 'text')).toBe('{1,2');
  expect(readValue(Buffer.from([1, 2, 3]), 23, 'binary')).toBe('\\x010203');
  expect(readValue(Buffer.from('ffff', 'hex'), 1700, 'binary')).toBe('\\xffff');
  expect(readValue(Buffer.from('7fffffff'.repeat(5), 'hex'), 1007, 'binary')).toBe(
    `\\x${'7fffffff'.repeat(5)}`,
  );
  expect(readValue(Buffer.from('{"a":1,"a":2}'), 114, 'text')).toEqual({ $broken: '{"a":1,"a":2}' });
  expect(readValue(Buffer.from('NaN'), 701, 'text')).toBe('NaN');
  // The null of JSON is not the text of it.
  expect(readValue(Buffer.from('null'), 3802, 'text')).toBeNull();
  expect(readValue(Buffer.from('{"null",NULL}'), 3807, 'text')).toEqual([null, null]);
});

test.each([
  ['a domain over an integer', 16_400, '61626364'],
  ['an enumeration, which may as well be a domain', 16_400, Buffer.from('shipped').toString('hex')],
  ['a class', 2205, '61626364'],
  ['money', 790, '6162636465666768'],
  ['a range', 3904, '6162'],
  ['a type that nobody said', 0, Buffer.from('Ada Lovelace').toString('hex')],
  ['nothing of a type that nobody said', 0, ''],
])('in binary form, %s is not guessed', (_, type, bytes) => {
  expect(isNotKept(readValue(Buffer.from(bytes, 'hex'), type, 'binary'))).toBe(true);
});

test('what no date, and no array, of ours can be is marked or stays as it is', () => {
  const far = Buffer.alloc(8);
  far.writeBigInt64BE(9_223_371_331_199_999_999n);
  const day = Buffer.alloc(4);
  day.writeInt32BE(2_145_031_948);
  const beforeChrist = Buffer.alloc(4);
  beforeChrist.writeInt32BE(-746_000);
  for (const [bytes, type] of [
    [far, 1114],
    [far, 1184],
    [day, 1082],
    [beforeChrist, 1082],
  ] as const)
    expect(isNotKept(readValue(bytes, type, 'binary'))).toBe(true);
  const deep = '{'.repeat(16_000);
  expect(readText(deep, 1007)).toBe(deep);
  expect(readText('{{{{{{1}}}}}}', 1007)).toEqual([[[[[[1]]]]]]);
  expect(readText('{{{{{{{1}}}}}}}', 1007)).toBe('{{{{{{{1}}}}}}}');
  const long = 'a'.repeat(5_000);
  expect(readText(`{${long},b}`, 1009)).toEqual([long, 'b']);
});

test('an array without elements is read at once, whatever its other dimensions are', () => {
  const numbers = [6, 0, 23, ...Array.from({ length: 5 }, () => [1_000_000, 1]).flat(), 0, 1];
  const bytes = Buffer.alloc(400);
  for (const [at, value] of numbers.entries()) bytes.writeInt32BE(value, at * 4);
  expect(readValue(bytes, 1007, 'binary')).toEqual([]);
});
