/** Undoes the content codings of a body for the evidence; what passes is never touched. */
import * as zlib from 'node:zlib';
import { callLimits } from './call-limits.ts';

export interface DecodedContent {
  readonly bytes: Buffer;
  /** It could not be undone, or not all of it. */
  readonly because?: 'too-large' | 'unreadable';
}

/** The end of a body that was cut may be missing. */
export function decodeContent(bytes: Buffer, encoding: string): DecodedContent {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  let decoded = bytes;
  for (const coding of codings.toReversed()) {
    if (coding === 'identity' || coding === '') continue;
    const undo = decoders[coding];
    if (undo === undefined) return { bytes: Buffer.alloc(0), because: 'unreadable' };
    try {
      decoded = undo(decoded);
    } catch (error) {
      const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return { bytes: Buffer.alloc(0), because: isLarge ? 'too-large' : 'unreadable' };
    }
  }
  return { bytes: decoded };
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
const bounds = { maxOutputLength: callLimits.unfoldedBytes };
const lenient = { ...bounds, finishFlush: Z_SYNC_FLUSH };

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => zlib.gunzipSync(bytes, lenient),
  'x-gzip': (bytes) => zlib.gunzipSync(bytes, lenient),
  deflate: inflateEither,
  br: (bytes) => zlib.brotliDecompressSync(bytes, { ...bounds, finishFlush: BROTLI_OPERATION_FLUSH }),
  zstd: (bytes) => zlib.zstdDecompressSync(bytes, bounds),
};

/** Some servers send the bare stream without its two bytes of header. */
function inflateEither(bytes: Buffer): Buffer {
  const hasHeader = ((bytes[0] ?? 0) & 0x0f) === 8;
  return hasHeader ? zlib.inflateSync(bytes, lenient) : zlib.inflateRawSync(bytes, lenient);
}
