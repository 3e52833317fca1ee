/** The pieces of a body as one. */

/** A body of one piece is not copied; of many, the room doubles, so that many small pieces cost no more than a few large ones. */
export class GatheredBody {
  length = 0;
  #room: Buffer = noRoom;
  /** The allocated buffer, not what came in. */
  #isOwn = false;

  add(bytes: Uint8Array): void {
    if (this.length === 0) this.#room = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    else {
      const length = this.length + bytes.length;
      if (!this.#isOwn || length > this.#room.length) this.#grow(length);
      this.#room.set(bytes, this.length);
    }
    this.length += bytes.length;
  }

  take(): Buffer {
    return this.#room.subarray(0, this.length);
  }

  #grow(length: number): void {
    const room = Buffer.allocUnsafeSlow(Math.max(length * 2, 1024));
    room.set(this.take(), 0);
    this.#room = room;
    this.#isOwn = true;
  }
}

const noRoom = Buffer.alloc(0);
