/** Undoes a `content-encoding`, within a limit: a few kilobytes can unpack to gigabytes. */
import * as zlib from 'node:zlib';
import { errorCode } from './system-error.ts';

export type Unpacked = { readonly bytes: Buffer } | { readonly fault: string; readonly tooLarge: boolean };

export interface UnpackLimits {
  readonly mostBytes: number;
  /** The end may be missing. */
  readonly mayBeCut?: boolean;
}

/** The codings were applied in the order in which they are listed. */
export function unpack(bytes: Buffer, encoding: string | undefined, limits: UnpackLimits): Unpacked {
  if (encoding === undefined) return { bytes };
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !plain.includes(name));
  const { mostBytes: maxOutputLength, mayBeCut } = limits;
  let current = bytes;
  for (const name of names.reverse()) {
    const undo = codings.get(name);
    if (!undo) return { fault: `the content-encoding ${JSON.stringify(name)} is unknown`, tooLarge: false };
    try {
      current = undo(current, { maxOutputLength, ...(mayBeCut ? flushes(name) : {}) });
    } catch (error) {
      if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE')
        return { fault: `unpacked it has more than ${maxOutputLength} bytes`, tooLarge: true };
      return { fault: `the body is not valid ${name}: ${(error as Error).message}`, tooLarge: false };
    }
  }
  return { bytes: current };
}

/** Some servers name the charset here, which compresses nothing. */
const plain: readonly string[] = ['', 'identity', 'utf-8', 'utf8'];

type Undo = (bytes: Buffer, options: { maxOutputLength: number; finishFlush?: number }) => Buffer;

const codings: ReadonlyMap<string, Undo> = new Map<string, Undo>([
  ['gzip', zlib.gunzipSync],
  ['x-gzip', zlib.gunzipSync],
  // Some servers send deflate without the zlib header.
  [
    'deflate',
    (bytes, options) =>
      ((bytes[0] ?? 0) & 0x0f) === 8 ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options),
  ],
  ['br', zlib.brotliDecompressSync],
  ['zstd', zlib.zstdDecompressSync],
]);

function flushes(name: string): { readonly finishFlush?: number } {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  if (name === 'zstd') return {};
  return { finishFlush: name === 'br' ? BROTLI_OPERATION_FLUSH : Z_SYNC_FLUSH };
}
