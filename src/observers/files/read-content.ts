/** Reads one file: its hash unless it is huge, its bytes when they are few enough to be understood. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { observerLimits } from '../observer-limits.ts';

export interface FileContent {
  readonly bytes: number;
  /** Undefined for a file that is huge, as sparse files are. */
  readonly sha256: string | undefined;
  /** Undefined for a file that is too large. */
  readonly content: Buffer | undefined;
}

/** Never waits for a writer of a pipe, and never follows a link that was not there a moment ago. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Many small files are read much faster without a promise for each step; a large one yields after each chunk. */
export async function readContent(file: string | Buffer, signal: AbortSignal): Promise<FileContent> {
  const descriptor = openSync(file, flags);
  try {
    return await readAll(descriptor, signal);
  } finally {
    closeSync(descriptor);
  }
}

async function readAll(descriptor: number, signal: AbortSignal): Promise<FileContent> {
  const { chunkBytes, parsedBytes, hashedBytes } = observerLimits;
  const { size } = fstatSync(descriptor);
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(Math.min(size + 1, chunkBytes));
  const kept: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const least = Math.max(size, bytes);
    if (least > hashedBytes) return { bytes: least, sha256: undefined, content: undefined };
    const read = readSync(descriptor, chunk, 0, chunk.length, bytes);
    if (read === 0) break;
    hash.update(chunk.subarray(0, read));
    bytes += read;
    if (bytes <= parsedBytes) kept.push(Buffer.from(chunk.subarray(0, read)));
    else kept.length = 0;
    if (bytes >= chunkBytes) await nextTurn();
    signal.throwIfAborted();
  }
  const content = bytes <= parsedBytes ? Buffer.concat(kept) : undefined;
  return { bytes, sha256: hash.digest('hex'), content };
}
