import { expect, test } from 'vitest';
import { unwritten } from './append-last-words.ts';

const day = '2026-11-18T10:00:';
const output = (...lines: [second: string, text: string][]): string =>
  lines.map(([second, text]) => `${day}${second}123456Z ${text}\n`).join('');
const at = (second: string): number => Date.parse(`${day}${second}Z`);

test('only what is later than the last writing', () => {
  const ticks = output(['01.100', 'tick'], ['01.300', 'tick'], ['01.500', 'tick'], ['01.700', 'last words']);
  expect(unwritten(ticks, { tail: ['tick'], at: at('01.301') })).toEqual(['tick', 'last words']);
  expect(unwritten(ticks, { tail: ['tick', 'last words'], at: at('01.701') })).toEqual([]);
});

test('what was on its way when the keeper was killed', () => {
  const three = output(['01.100', 'one'], ['01.101', 'two'], ['01.101', 'three']);
  expect(unwritten(three, { tail: ['one'], at: at('01.102') })).toEqual(['two', 'three']);
  expect(unwritten(three, { tail: ['an earlier line'], at: at('01.102') })).toEqual(['one', 'two', 'three']);
  expect(unwritten('', { tail: ['one'], at: 0 })).toEqual([]);
});

test('what was written a moment before the time that the file system gives to it', () => {
  const ticks = output(['01.100', 'up'], ['01.305', 'tick'], ['01.510', 'tick']);
  expect(unwritten(ticks, { tail: ['up', 'tick'], at: at('01.302') })).toEqual(['tick']);
  expect(unwritten(output(['01.100', 'up']), { tail: ['up'], at: at('01.097') })).toEqual([]);
});
