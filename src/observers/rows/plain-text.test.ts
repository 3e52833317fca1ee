import { describe, expect, test } from 'vitest';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { plainTextOf, searchingPlainText } from './plain-text.ts';

/** Whether the pattern for `text` matches a row of this JSON. */
const finds = (text: unknown, json: string): boolean =>
  matchPattern(searchingPlainText({ text }), { table: 't', text: json, plain: plainTextOf(json) }).matched;

const json = String.raw`{"note":"said \"leak\"\nC:\\temp","a\"b":["x\ty",{"deep":"\u006ceft \ud83d\ude00"}],"n":7}`;

describe('a part of a text', () => {
  test.each([
    'said "leak"',
    'leak"\nC:',
    'C:\\temp',
    'a"b',
    'x\ty',
    'left 😀',
    // As before: what the JSON has, with its escapes, keys and numbers.
    String.raw`said \"leak\"`,
    '"n":7',
    '"note"',
    'temp',
  ])('%j is found', (part) => {
    expect(finds({ $contains: part }, json)).toBe(true);
    expect(finds({ $not: { $contains: part } }, json)).toBe(false);
    expect(finds({ $any: [{ $contains: 'nothing' }, { $all: [{ $contains: part }] }] }, json)).toBe(true);
    const escaped = part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    expect(finds({ $regex: escaped }, json)).toBe(true);
  });

  test('several parts, wherever each is', () => {
    expect(finds({ $contains: ['said "leak"', '"n":7'] }, json)).toBe(true);
    expect(finds({ $contains: ['said "leak"', '"n":8'] }, json)).toBe(false);
  });

  test('not across two values', () => {
    for (const part of ['tempa', 'temp\na"b', 'temp a', 'temp"a'])
      expect(finds({ $contains: part }, json)).toBe(false);
  });
});

test('the whole text is still the JSON', () => {
  expect(finds(json, json)).toBe(true);
  expect(finds({ $eq: json }, json)).toBe(true);
  expect(finds({ $startsWith: '{"note"', $endsWith: '"n":7}', $regex: '^\\{.*\\}$' }, json)).toBe(true);
  expect(finds({ $startsWith: 'said' }, json)).toBe(false);
});

test('other keys, and conditions in conditions, stay', () => {
  const element = { table: 't', text: json, plain: plainTextOf(json) };
  const matches = (where: unknown): boolean => matchPattern(searchingPlainText(where), element).matched;
  const leak = { text: { $contains: 'said "leak"' } };
  expect(matches({ table: 't', ...leak })).toBe(true);
  expect(matches({ table: 'u', ...leak })).toBe(false);
  expect(matches({ $not: leak })).toBe(false);
  expect(matches({ $any: [{ table: 'u' }, { $all: [leak, { table: 't' }] }] })).toBe(true);
  expect(matches({ $all: [{ table: 't' }], ...leak })).toBe(true);
  expect(() => matches({ text: { $contain: 'x' } })).toThrow();
  expect(() => matches({ text: { $flags: 'i' } })).toThrow();
  expect(searchingPlainText(undefined)).toBeUndefined();
});

test('JSON without escapes has nothing else to search', () => {
  expect(plainTextOf('{"a":"b","c":[1,"ü/"]}')).toBe('');
});
