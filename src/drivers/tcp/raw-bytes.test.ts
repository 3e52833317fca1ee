import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type RawPiece, rawPieces } from './raw-bytes.ts';
import type { Raw } from './tcp-step.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'test-raw-'));
writeFileSync(path.join(folder, 'a.bin'), 'from a file');
afterAll(() => rmSync(folder, { recursive: true }));

async function pieces(raw: Raw | readonly Raw[]): Promise<(string | number)[]> {
  const found: RawPiece[] = [];
  for await (const piece of (await rawPieces(raw, folder))()) found.push(piece);
  return found.map((piece) => (typeof piece === 'number' ? piece : Buffer.from(piece).toString('latin1')));
}

test('text, hex, a file, a repetition, one after another with pauses', async () => {
  expect(await pieces({ text: 'à' })).toEqual(['\xc3\xa0']);
  expect(await pieces({ hex: '30 fF' })).toEqual(['0\xff']);
  expect(await pieces({ file: 'a.bin' })).toEqual(['from a file']);
  expect(await pieces({ text: 'FF', then: { repeat: 'ab', bytes: 5, pauseMs: 3 } })).toEqual([
    'FF',
    'ababa',
    3,
  ]);
  expect(
    await pieces([{ text: 'a', pauseMs: 10 }, { pauseMs: 5 }, { text: 'b', then: { text: 'c' } }]),
  ).toEqual(['a', 10, 5, 'b', 'c']);
});

test('a megabyte goes in pieces, and is one', async () => {
  const found = await pieces({ repeat: 'A', bytes: 1_000_000 });
  expect(found.length).toBeGreaterThan(10);
  expect(found.join('')).toBe('A'.repeat(1_000_000));
});

test.each<[string, Raw | readonly Raw[]]>([
  ['nothing', {}],
  ['repeat without bytes', { repeat: 'a' }],
  ['negative bytes', { repeat: 'a', bytes: -1 }],
  ['an empty repeat', { repeat: '', bytes: 1 }],
  ['half a byte', { hex: 'f' }],
  ['no hex', { hex: 'zz' }],
  ['no such file', { text: 'a', then: { file: 'b.bin' } }],
  ['a folder', { file: '.' }],
  ['too many bytes', { repeat: 'a', bytes: 2 ** 40 }],
  ['too many pieces', Array.from({ length: 20_000 }, () => ({ text: 'a' }))],
])('%s is refused before anything is sent', async (_, raw) => {
  await expect(rawPieces(raw, folder)).rejects.toThrow(/\w/);
});

test('a chain that ends in itself ends', async () => {
  const loop: { text: string; then?: Raw } = { text: 'a' };
  loop.then = loop;
  await expect(rawPieces(loop, folder)).rejects.toThrow(/at most/);
});
