import { expect, test } from 'vitest';
import { cutMark } from '../kernel/cut-mark.ts';
import { matchPattern } from './match-pattern.ts';

const text = 'hello, the key is ‹secret:KEY› and more';
const outcome = (pattern: unknown, value: unknown): string => {
  const { matched, open } = matchPattern(pattern, value);
  return matched ? 'matched' : open === undefined ? 'failed' : 'open';
};

test.each([
  [{ $not: { $regex: 'sk-[a-z0-9-]+' } }, 'open'],
  [{ $not: { $contains: 'sk-a' } }, 'open'],
  [{ $not: { $startsWith: 'hello, the key is s' } }, 'open'],
  [{ $not: { $endsWith: 'x and more' } }, 'open'],
  [{ $not: { $regex: 'secret' } }, 'open'],
  [{ $regex: 'secret' }, 'open'],
  [{ $contains: 'secret' }, 'open'],
  [{ $length: { $gt: 3 } }, 'open'],
  [{ $not: { $length: 12 } }, 'open'],
  [{ $lt: 'z' }, 'open'],
  [{ $ne: text }, 'failed'],
  [{ $not: 'another text' }, 'matched'],
  [text, 'matched'],
  ['another text', 'failed'],
  [{ $contains: 'the key' }, 'matched'],
  [{ $contains: ['the key', 'and more'] }, 'matched'],
  [{ $contains: '‹secret:KEY›' }, 'matched'],
  [{ $not: { $contains: '‹secret:KEY›' } }, 'failed'],
  [{ $not: { $contains: '‹secret:OTHER›' } }, 'matched'],
  [{ $not: { $regex: 'hello' } }, 'failed'],
  [{ $regex: '^hello.* is .+ and more$' }, 'matched'],
  [{ $startsWith: 'hello' }, 'matched'],
  [{ $not: { $startsWith: 'bye' } }, 'matched'],
  [{ $not: { $endsWith: 'less' } }, 'matched'],
  [{ $any: [{ $regex: 'sk-' }, { $contains: 'hello' }] }, 'matched'],
  [{ $any: [{ $regex: 'sk-' }, 'other'] }, 'open'],
  [{ $all: [{ $regex: 'sk-' }, 'other'] }, 'failed'],
  [{ $type: 'string' }, 'matched'],
])('%j, matched with a text with a token: %s', (pattern, expected) => {
  expect(outcome(pattern, text)).toBe(expected);
  expect(outcome({ $each: pattern }, [text])).toBe(expected);
  expect(outcome({ $some: pattern }, [text])).toBe(expected);
  expect(outcome({ $unordered: [pattern] }, [text])).toBe(expected);
});

test.each([
  [{ $not: { $contains: 'Müller' } }, 'open'],
  [{ $not: { $regex: 'M.?ller' } }, 'open'],
  [{ $contains: 'ller;DE12' }, 'matched'],
  ['Müller;DE12', 'failed'],
])('%j, matched with a text that is partly not UTF-8: %s', (pattern, expected) => {
  expect(outcome(pattern, 'M‹no-utf8›ller;DE12')).toBe(expected);
});

test.each([
  [{ $type: 'number' }, 'matched'],
  [{ $type: 'string' }, 'failed'],
  [{ $type: 'integer' }, 'open'],
  [{ $gt: 5 }, 'open'],
])('%j, matched with a number that is a secret: %s', (pattern, expected) => {
  expect(outcome(pattern, '‹secret:PIN:number›')).toBe(expected);
});

test.each([
  [{ $not: { $gt: '‹secret:PIN:number›' } }, 7],
  [{ $between: [1, '‹secret:PIN:number-minus›'] }, 7],
  [{ $not: { $length: '‹secret:PIN:number›' } }, [1, 2]],
  [{ $not: { $length: { $gte: '‹secret:PIN:number›' } } }, [1, 2]],
])('%j, with a number that is a secret in the pattern, is open', (pattern, value) => {
  expect(outcome(pattern, value)).toBe('open');
});

test.each([
  ['Bearer wrong', 'open'],
  [{ $not: 'Bearer wrong' }, 'open'],
  [{ $not: { $regex: 'sk-' } }, 'open'],
  [{ $length: 8 }, 'open'],
  ['Basic wrong', 'failed'],
  ['Bearer ‹secret:KEY›', 'failed'],
  ['Bearer …', 'matched'],
  [{ $regex: '^Bearer .+$' }, 'matched'],
])('%j, matched with a masked header: %s', (pattern, expected) => {
  expect(outcome({ headers: { authorization: pattern } }, { headers: { authorization: 'Bearer …' } })).toBe(
    expected,
  );
});

test.each([
  [{ $not: { $contains: 'FORBIDDEN' } }, 'open'],
  [{ $not: { $contains: '‹secret:KEY›' } }, 'open'],
  [{ $not: { $regex: 'FORBIDDEN' } }, 'open'],
  [{ $not: { $endsWith: 'x' } }, 'open'],
  [{ $length: 9 }, 'open'],
  [{ $not: 'a line' }, 'matched'],
  [{ $not: 'a long line, and more' }, 'open'],
  [{ $contains: 'long' }, 'matched'],
  [{ $regex: '^a long' }, 'matched'],
  [{ $not: { $startsWith: 'a short' } }, 'matched'],
  [{ $not: { $contains: 'long' } }, 'failed'],
])('%j, matched with a text that was cut: %s', (pattern, expected) => {
  expect(outcome(pattern, `a long line${cutMark}`)).toBe(expected);
  expect(outcome({ $some: pattern }, [`a long line${cutMark}`])).toBe(expected);
});

test.each([
  [{ $not: { $contains: '4111' } }, 'open'],
  [{ $contains: 'EX 60' }, 'matched'],
  [{ $regex: '^SET k .* EX 60$' }, 'matched'],
  [{ $not: { $startsWith: 'SET k v' } }, 'open'],
  [{ $not: { $startsWith: 'SET x' } }, 'matched'],
  [{ $not: { $endsWith: 'EX 61' } }, 'matched'],
  [{ $not: 'SET k value EX 60' }, 'open'],
  [{ $not: 'SET k  EX 60' }, 'open'],
  [{ $not: 'SET k EX 60' }, 'matched'],
  [{ $not: 'SET k EX 61' }, 'matched'],
  [{ $not: 'SET k 60' }, 'matched'],
  [{ $length: 9 }, 'open'],
])('%j, matched with a text of which a part inside was not kept: %s', (pattern, expected) => {
  expect(outcome(pattern, `SET k ${cutMark} EX 60`)).toBe(expected);
});

test.each([
  [{ $regex: '^INSERT INTO charges' }, 'failed'],
  [{ $regex: '^insert into charges', $flags: 'i' }, 'failed'],
  [{ $regex: '^INSERT INTO charges', $flags: 'm' }, 'open'],
  [{ $regex: '^INSERT INTO (charges|orders)' }, 'open'],
  [{ $regex: '^INSERT INTO item{1}' }, 'matched'],
  [{ $regex: '^DELETE|4111' }, 'open'],
  [{ $regex: '^DELETE?' }, 'failed'],
  [{ $regex: '^D?INSERT INTO charges' }, 'open'],
  [{ $regex: '^DELETE FROM (charges|[|])' }, 'failed'],
  [{ $regex: '^‹secret:KEY›' }, 'open'],
  [{ $regex: '^INSERT INTO items VALUES .*x' }, 'open'],
  [{ $not: { $regex: '^INSERT INTO charges' } }, 'matched'],
  [{ $not: { $regex: 'INTO charges' } }, 'open'],
])('%j, whose beginning is compared with that of a text that was cut: %s', (pattern, expected) => {
  expect(outcome(pattern, `INSERT INTO items VALUES (1${cutMark}`)).toBe(expected);
});

test('an ellipsis elsewhere is an ordinary character', () => {
  expect(outcome({ $not: { $regex: 'sk-' } }, 'thinking …')).toBe('matched');
});
