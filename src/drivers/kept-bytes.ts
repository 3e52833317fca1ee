/** Bytes as they arrive, kept up to a limit; the rest is counted and hashed, never kept. */
import { createHash, type Hash } from 'node:crypto';

export interface KeptBytes {
  push(chunk: Uint8Array): void;
  /** All that arrived. */
  readonly bytes: number;
  /** Bytes came beyond the limit. */
  readonly truncated: boolean;
  /** The beginning, in one piece. */
  kept(): Buffer;
  /** Of everything, kept or not. */
  sha256(): string;
}

export function keepBytes(mostBytes: number): KeptBytes {
  let chunks: Uint8Array[] = [];
  let keptBytes = 0;
  let bytes = 0;
  let hash: Hash | undefined;
  const joined = (): Buffer => {
    const whole = Buffer.concat(chunks, keptBytes);
    chunks = [whole];
    return whole;
  };
  return {
    push: (chunk) => {
      bytes += chunk.length;
      const room = mostBytes - keptBytes;
      if (room > 0) {
        const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
        chunks.push(part);
        keptBytes += part.length;
        if (part.length === chunk.length) return;
        hash ??= createHash('sha256').update(joined());
        hash.update(chunk.subarray(part.length));
        return;
      }
      hash ??= createHash('sha256').update(joined());
      hash.update(chunk);
    },
    get bytes() {
      return bytes;
    },
    get truncated() {
      return bytes > keptBytes;
    },
    kept: joined,
    sha256: () => (hash ? hash.copy() : createHash('sha256').update(joined())).digest('hex'),
  };
}
