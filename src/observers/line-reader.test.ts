import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTemporaryFolder, type TemporaryFolder } from '../../test/harness/temporary-folder.ts';
import { createLineReader } from './line-reader.ts';
import { linesWith } from './lines-of-block.ts';
import { observerLimits } from './observer-limits.ts';

let folder: TemporaryFolder;
let file: string;
beforeEach(() => {
  folder = makeTemporaryFolder('lines');
  file = path.join(folder.path, 'a.log');
});
afterEach(() => folder.remove());

const { signal } = new AbortController();

test.each([
  ['newlines', /^[ab\n]{0,12}$/, {}],
  ['newlines alone, whatever returns there are', /^[ab\r\n]{0,12}$/, {}],
  ['carriage returns, too', /^[ab\r\n]{0,12}$/, { endsAtReturn: true }],
] as const)('a file in any pieces gives the same lines, numbers and offsets: %s', async (_, signs, ends) => {
  const pieces = fc.array(fc.stringMatching(signs), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      pieces,
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      async (parts, lineBytes, isPicky) => {
        writeFileSync(file, 'before');
        const reader = createLineReader({
          from: 6,
          lineBytes,
          signal,
          ...(isPicky ? { texts: ['ab', 'ba'] } : {}),
          ...ends,
        });
        const seen: unknown[] = [];
        for (const part of parts) {
          appendFileSync(file, part);
          await reader.readOn(file, ({ number, offset, bytes, isCut }) =>
            seen.push([number, offset, String(bytes), isCut]),
          );
        }
        const whole = linesOf(parts.join(''), 'endsAtReturn' in ends);
        const wanted = whole.lines.filter(({ text }) => !isPicky || /ab|ba/.test(text));
        expect(seen).toEqual(
          wanted.map(({ number, offset, text }) => [
            number,
            offset,
            text.slice(0, lineBytes),
            text.length > lineBytes,
          ]),
        );
        expect(String(reader.unfinished()?.bytes ?? '')).toBe(whole.rest.slice(0, lineBytes));
      },
    ),
    { numRuns: 150 },
  );
});

/** The simple implementation, for comparison. A text counts wherever it is in its line. */
function linesOf(text: string, endsAtReturn: boolean) {
  const lines: { readonly number: number; readonly offset: number; readonly text: string }[] = [];
  // At the end of what was written, a return may be half of an end of line.
  const end = endsAtReturn ? /\r?\n|\r(?=[^\n])/g : /\n/g;
  let [at, number] = [0, 1];
  for (const { 0: sign, index } of text.matchAll(end)) {
    if (sign !== '\r' || index > at) lines.push({ number, offset: 6 + at, text: text.slice(at, index) });
    if (sign !== '\r') number += 1;
    at = index + sign.length;
  }
  const rest = text.slice(at);
  return { lines, rest: endsAtReturn ? rest.replace(/\r$/, '') : rest };
}

test('a line longer than many chunks is cut, counted, and left behind', async () => {
  const chunk = Buffer.alloc(observerLimits.chunkBytes, 'x');
  writeFileSync(file, '');
  for (let n = 0; n < 4; n += 1) appendFileSync(file, chunk);
  appendFileSync(file, '\nnext\n');
  const reader = createLineReader({ from: 0, lineBytes: 100, signal });
  const seen: unknown[] = [];
  await reader.readOn(file, ({ number, offset, bytes, isCut }) =>
    seen.push([number, offset, bytes.length, isCut]),
  );
  expect(seen).toEqual([
    [1, 0, 100, true],
    [2, chunk.length * 4 + 1, 4, false],
  ]);
});

test('a file that is not there has no lines yet', async () => {
  const reader = createLineReader({ from: 0, lineBytes: 100, signal });
  const seen: string[] = [];
  await reader.readOn(file, ({ bytes }) => seen.push(String(bytes)));
  writeFileSync(file, 'one\n');
  await reader.readOn(file, ({ bytes }) => seen.push(String(bytes)));
  expect(seen).toEqual(['one']);
});

test('lines with a text are found with their numbers', () => {
  const block = Buffer.from('a\nbb x\n\nx x\nc\ny\n');
  const found = [...linesWith(block, [Buffer.from('x'), Buffer.from('y')])];
  expect(found.map(({ number, at, end }) => [number, String(block.subarray(at, end))])).toEqual([
    [2, 'bb x'],
    [4, 'x x'],
    [6, 'y'],
  ]);
});
