/** The place after a number of bytes of a body. */
import type { PlaceFinder } from './place-finder.ts';

export function byteFinder(byte: number): PlaceFinder {
  let left = byte;
  return {
    push: (bytes) => {
      if (bytes.length < left) {
        left -= bytes.length;
        return { bytes: bytes.length };
      }
      const last = left;
      left = 0;
      return { bytes: last, found: `after ${byte} ${byte === 1 ? 'byte' : 'bytes'}` };
    },
  };
}
