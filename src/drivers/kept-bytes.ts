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
      const part = chunk.subarray(0, mostBytes - keptBytes);
      if (part.length > 0) chunks.push(part); // an empty part would keep its whole chunk
      keptBytes += part.length;
      if (part.length === chunk.length) return;
      hash ??= createHash('sha256').update(joined());
      hash.update(chunk.subarray(part.length));
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
