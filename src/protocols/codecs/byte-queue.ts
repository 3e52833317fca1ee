/** Bytes that have arrived and are not yet used, in one piece. */

export interface ByteQueue {
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** The byte at this distance from the front; undefined beyond the end. */
  at(index: number): number | undefined;
  /** Where the byte occurs at or after this distance from the front; -1 when it does not. */
  indexOf(byte: number, from: number): number;
  /** A view of the front; valid until the next append. */
  peek(count: number): Uint8Array;
  /** Removes the front and returns it as a view; valid until the next append. */
  take(count: number): Uint8Array;
}

/** Growing doubles the room, so that bytes that come one by one cost no more than those that come at once. */
export function createByteQueue(): ByteQueue {
  let room = new Uint8Array(256);
  let start = 0;
  let end = 0;
  const makeRoom = (count: number): void => {
    if (end + count <= room.length) return;
    const kept = room.subarray(start, end);
    const needed = kept.length + count;
    const next = needed * 2 <= room.length ? room : new Uint8Array(Math.max(needed * 2, 256));
    next.set(kept, 0);
    room = next;
    end = kept.length;
    start = 0;
  };
  return {
    get length() {
      return end - start;
    },
    append: (bytes) => {
      makeRoom(bytes.length);
      room.set(bytes, end);
      end += bytes.length;
    },
    at: (index) => (start + index < end ? room[start + index] : undefined),
    indexOf: (byte, from) => room.subarray(start, end).indexOf(byte, from),
    peek: (count) => room.subarray(start, Math.min(end, start + count)),
    take: (count) => {
      const taken = room.subarray(start, Math.min(end, start + count));
      start += taken.length;
      return taken;
    },
  };
}
