/** Rewrites a log from which a part was dropped, once it is complete: a line reports how much is missing. */
import { createReadStream, lstatSync } from 'node:fs';
import { rewriteFile } from '../../kernel/folders/entries-below.ts';
import { openPlainFile } from '../../kernel/folders/own-file.ts';
import { limits } from '../../kernel/limits.ts';

const chunkBytes = 1024 * 1024;
const zeros = Buffer.alloc(chunkBytes);

/** Files without a hole are left unchanged. */
export async function closeGap(file: string): Promise<void> {
  const { size, blocks } = lstatSync(file);
  const holeBytes = size - blocks * 512;
  if (holeBytes >= chunkBytes) await rewriteFile(file, withoutZeros(file, keptParts(size, holeBytes)));
}

interface Part {
  readonly start: number;
  /** The first byte that does not belong to it. */
  readonly end: number;
}

/** Of a log with a huge hole, what `capLog` keeps: reading through the hole would take too long. */
function keptParts(size: number, holeBytes: number): readonly Part[] {
  if (holeBytes <= limits.holeBytes) return [{ start: 0, end: size }];
  return [
    { start: 0, end: limits.logBytes / 8 },
    { start: size - limits.logBytes / 2, end: size },
  ];
}

/** Programs do not print whole chunks of zeros. */
async function* withoutZeros(file: string, parts: readonly Part[]): AsyncGenerator<Buffer> {
  let missing = 0;
  let readTo = 0;
  for (const { start, end } of parts) {
    missing += start - readTo;
    readTo = end;
    const fd = openPlainFile(file).descriptor;
    const read = { fd, start, end: end - 1, highWaterMark: chunkBytes };
    for await (const chunk of createReadStream(file, read)) {
      const bytes = chunk as Buffer;
      if (bytes.equals(zeros.subarray(0, bytes.length))) {
        missing += bytes.length;
        continue;
      }
      if (missing > 0) yield Buffer.from(`\n(Shakedown dropped ${missing} bytes of this log here)\n`);
      missing = 0;
      yield bytes;
    }
  }
}
