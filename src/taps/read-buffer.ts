/** The memory into which a dialled socket reads: one buffer, reused as long as nothing else references it. */
import type { OnReadOpts } from 'node:net';

/** Small at first, because a tap may have thousands of quiet connections. */
const smallestBytes = 8 * 1024;
const largestBytes = 256 * 1024;

/** The taker says whether the memory of a chunk is free again; a source that fills the buffer gets a larger one. */
export function readBuffer(take: (chunk: Buffer) => boolean): OnReadOpts {
  let buffer = Buffer.allocUnsafeSlow(smallestBytes);
  return {
    buffer: () => buffer,
    callback: (bytes) => {
      const filled = bytes === buffer.length;
      const isFree = take(filled ? buffer : buffer.subarray(0, bytes));
      if (filled && bytes < largestBytes) buffer = Buffer.allocUnsafeSlow(Math.min(bytes * 4, largestBytes));
      else if (!isFree) buffer = Buffer.allocUnsafeSlow(buffer.length);
      return true;
    },
  };
}
