/** Writes a log anew from which a part was dropped, when nobody writes to it any more: a line says how much is missing. */
import { createReadStream, renameSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';

const chunkBytes = 1024 * 1024;
const zeros = Buffer.alloc(chunkBytes);

/** A chunk of zeros is nothing that a program prints. Files that are whole on the disk are left alone. */
export async function closeGap(file: string): Promise<void> {
  const { size, blocks } = statSync(file);
  if (size - blocks * 512 < chunkBytes) return;
  const output = await open(`${file}.closed`, 'wx', 0o600);
  let missing = 0;
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes })) {
      const bytes = chunk as Buffer;
      if (bytes.equals(zeros)) {
        missing += bytes.length;
        continue;
      }
      if (missing > 0) await output.write(`\n(Shakedown dropped ${missing} bytes of this log here)\n`);
      missing = 0;
      await output.write(bytes);
    }
  } finally {
    await output.close();
  }
  renameSync(`${file}.closed`, file);
}
