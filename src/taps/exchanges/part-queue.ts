/** Parts of a response that are held until it is known how far they may be forwarded. */
import type { ResponseHead } from '../../protocols/http/http-message.ts';
import { bodyPart, type Part } from './exchange-edit.ts';
import { isLineEnd } from './join-parts.ts';

/** Overhead of a part in addition to its bytes, so that many tiny ones are bounded too. */
const partBytes = 128;

export class PartQueue {
  #parts: Part<ResponseHead>[] = [];
  #cost = 0;

  /** The memory that the parts hold. */
  get cost(): number {
    return this.#cost;
  }

  add(part: Part<ResponseHead>): void {
    this.#parts.push(part);
    this.#cost += part.raw.length + partBytes;
  }

  /** Exactly this many bytes of the body, and the frames before them. */
  take(bodyBytes: number): readonly Part<ResponseHead>[] {
    let left = bodyBytes;
    let count = 0;
    while (left > 0 && count < this.#parts.length) {
      const part = this.#parts[count] as Part<ResponseHead>;
      if (part.is === 'body' && part.raw.length > left) this.#split(count, part, left);
      if (part.is === 'body') left = Math.max(0, left - part.raw.length);
      count += 1;
    }
    return this.#takeFirst(count);
  }

  /** The end of the chunk that was forwarded last, where it is at the front. */
  takeChunkEnd(): readonly Part<ResponseHead>[] {
    const end = this.#parts.findIndex(({ is, raw }) => is !== 'frame' || !isLineEnd(raw));
    return this.#takeFirst(end === -1 ? this.#parts.length : end);
  }

  takeAll(): readonly Part<ResponseHead>[] {
    return this.#takeFirst(this.#parts.length);
  }

  #split(index: number, part: Part<ResponseHead>, at: number): void {
    const [first, second] = [part.raw.subarray(0, at), part.raw.subarray(at)];
    this.#parts.splice(index, 1, bodyPart(first), { ...part, raw: second });
    this.#cost += partBytes;
  }

  #takeFirst(count: number): readonly Part<ResponseHead>[] {
    const taken = this.#parts.splice(0, count);
    for (const { raw } of taken) this.#cost -= raw.length + partBytes;
    return taken;
  }
}
