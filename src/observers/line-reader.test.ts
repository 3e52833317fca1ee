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

test('a file in any pieces gives the same lines, numbers and offsets', async () => {
  const pieces = fc.array(fc.stringMatching(/^[ab\n]{0,12}$/), { maxLength: 8 });
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
        });
        const seen: unknown[] = [];
        for (const part of parts) {
          appendFileSync(file, part);
          await reader.readOn(file, ({ number, offset, bytes, isCut }) =>
            seen.push([number, offset, String(bytes), isCut]),
          );
        }
        const rest = reader.unfinished();
        expect(seen).toEqual(linesOf(parts.join(''), lineBytes, isPicky));
        expect(String(rest?.bytes ?? '')).toBe((parts.join('').split('\n').at(-1) ?? '').slice(0, lineBytes));
      },
    ),
    { numRuns: 150 },
  );
});

/** The simple implementation, for comparison. A text counts wherever it is in its line. */
function linesOf(text: string, lineBytes: number, isPicky: boolean): readonly unknown[] {
  const all: unknown[] = [];
  let offset = 6;
  for (const [index, line] of text.split('\n').slice(0, -1).entries()) {
    const cut = line.slice(0, lineBytes);
    if (!isPicky || /ab|ba/.test(line)) all.push([index + 1, offset, cut, line.length > lineBytes]);
    offset += line.length + 1;
  }
  return all;
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
