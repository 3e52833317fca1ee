/** Undoes a `content-encoding`, within a limit: a few kilobytes can unpack to gigabytes. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { errorCode } from '../../kernel/system-error.ts';

export type Decompressed = { readonly bytes: Buffer } | { readonly fault: string };

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

const codings: Readonly<Record<string, Decompress>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // Some servers say deflate and leave the zlib header out.
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options),
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** The codings were applied in the order in which they are named. */
export function decompress(bytes: Buffer, encoding: string, mostBytes: number): Decompressed {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  let current = bytes;
  for (const name of names.reverse()) {
    const undo = Object.hasOwn(codings, name) ? codings[name] : undefined;
    if (!undo) return { fault: `the content-encoding ${JSON.stringify(name)} is unknown` };
    try {
      current = undo(current, { maxOutputLength: mostBytes });
    } catch (error) {
      if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE')
        return { fault: `unpacked it has more than ${mostBytes} bytes` };
      return { fault: `it says ${name} and is not: ${(error as Error).message}` };
    }
  }
  return { bytes: current };
}
