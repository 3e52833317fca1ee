/** Rewrites a log from which a part was dropped, once it is complete: a line reports how much is missing. */
import { createReadStream, lstatSync } from 'node:fs';
import { rewriteFile } from '../../kernel/folders/entries-below.ts';
import { openPlainFile } from '../../kernel/folders/own-file.ts';

const chunkBytes = 1024 * 1024;
const zeros = Buffer.alloc(chunkBytes);

/** Files without a hole are left unchanged. */
export async function closeGap(file: string): Promise<void> {
  const { size, blocks } = lstatSync(file);
  if (size - blocks * 512 >= chunkBytes) await rewriteFile(file, withoutZeros(file));
}

/** Programs do not print whole chunks of zeros. */
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
