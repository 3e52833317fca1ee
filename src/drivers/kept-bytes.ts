/** Bytes as they arrive, kept up to a limit; the rest is counted and hashed, never kept. */
import { createHash, type Hash } from 'node:crypto';

export function keepBytes(mostBytes: number) {
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
    push: (chunk: Uint8Array): void => {
      bytes += chunk.length;
      const part = chunk.subarray(0, mostBytes - keptBytes);
      if (part.length > 0) chunks.push(part); // an empty part would keep its whole chunk
      keptBytes += part.length;
      if (part.length === chunk.length) return;
      hash ??= createHash('sha256').update(joined());
      hash.update(chunk.subarray(part.length));
    },
    /** All that arrived. */
    get bytes(): number {
      return bytes;
    },
    /** Bytes came beyond the limit. */
    get truncated(): boolean {
      return bytes > keptBytes;
    },
    /** The beginning, in one piece. */
    kept: joined,
    /** Of everything, kept or not. */
    sha256: (): string => (hash ? hash.copy() : createHash('sha256').update(joined())).digest('hex'),
  };
}

export type KeptBytes = ReturnType<typeof keepBytes>;
