/** Writes a log anew from which a part was dropped, when nobody writes to it any more: a line says how much is missing. */
import { createReadStream, lstatSync } from 'node:fs';
import { rewriteFile } from '../../kernel/folders/entries-below.ts';
import { openPlainFile } from '../../kernel/folders/own-file.ts';

const chunkBytes = 1024 * 1024;
const zeros = Buffer.alloc(chunkBytes);

/** Files that are whole on the disk are left alone. */
export async function closeGap(file: string): Promise<void> {
  const { size, blocks } = lstatSync(file);
  if (size - blocks * 512 >= chunkBytes) await rewriteFile(file, withoutZeros(file));
}

/** A chunk of zeros is nothing that a program prints. */
async function* withoutZeros(file: string): AsyncGenerator<Buffer> {
  let missing = 0;
  const fd = openPlainFile(file).descriptor;
  for await (const chunk of createReadStream(file, { fd, highWaterMark: chunkBytes })) {
    const bytes = chunk as Buffer;
    if (bytes.equals(zeros)) {
      missing += bytes.length;
      continue;
    }
    if (missing > 0) yield Buffer.from(`\n(Shakedown dropped ${missing} bytes of this log here)\n`);
    missing = 0;
    yield bytes;
  }
}
