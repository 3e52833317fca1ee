/** Cuts a stream of events into blocks that end with a blank line, with the bytes that each was sent in. */
import { createSseParser, type SseEvent } from '../../protocols/sse/sse-parser.ts';
import { exchangeLimits } from './exchange-limits.ts';

export interface EventBlock {
  readonly raw: Buffer;
  /** Absent where it holds none: a comment, a blank line too many. */
  readonly event?: NumberedEvent;
}

export interface NumberedEvent extends SseEvent {
  /** The n-th of the stream, from 1. */
  readonly number: number;
}

/** A block may come byte by byte, and each piece costs more than its bytes. */
const mostPieces = 256;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export class EventBlocks {
  readonly #parser = createSseParser({ maxEventChars: exchangeLimits.eventBytes });
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #lineIsEmpty = true;
  #isAfterReturn = false;
  #events = 0;
  #isTooLarge = false;

  /** An event was larger than accepted: no more blocks come. */
  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }

  /** The blocks that these bytes complete. The bytes must stay as they are. */
  push(bytes: Buffer): readonly EventBlock[] {
    if (this.#isTooLarge) return [];
    const blocks: EventBlock[] = [];
    let from = 0;
    for (let end = this.#blockEnd(bytes, 0); end !== -1; end = this.#blockEnd(bytes, end)) {
      blocks.push(this.#complete(bytes.subarray(from, end)));
      from = end;
    }
    if (from < bytes.length) this.#begun.push(bytes.subarray(from));
    if (this.#begun.length === mostPieces) this.#begun = [Buffer.concat(this.#begun)];
    this.#begunBytes += bytes.length - from;
    this.#isTooLarge = this.#begunBytes > exchangeLimits.eventBytes;
    return blocks;
  }

  /** The bytes of a block that has begun. */
  takeRest(): Buffer {
    const rest = Buffer.concat(this.#begun);
    this.#begun = [];
    this.#begunBytes = 0;
    return rest;
  }

  #complete(last: Buffer): EventBlock {
    this.#begun.push(last);
    const raw = this.#begun.length === 1 ? last : Buffer.concat(this.#begun);
    this.#begun = [];
    this.#begunBytes = 0;
    const [event] = this.#parser.push(raw);
    if (event === undefined) return { raw };
    this.#events += 1;
    return { raw, event: { ...event, number: this.#events } };
  }

  /** The place after the blank line that ends a block; -1 where none does. A line feed that comes later belongs to the next. */
  #blockEnd(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at];
      const endsReturn = byte === lineFeed && this.#isAfterReturn;
      this.#isAfterReturn = byte === carriageReturn;
      if (endsReturn) continue;
      if (byte !== lineFeed && byte !== carriageReturn) this.#lineIsEmpty = false;
      else if (!this.#lineIsEmpty) this.#lineIsEmpty = true;
      else return this.#withLineFeed(bytes, at + 1);
    }
    return -1;
  }

  #withLineFeed(bytes: Buffer, end: number): number {
    if (!this.#isAfterReturn || bytes[end] !== lineFeed) return end;
    this.#isAfterReturn = false;
    return end + 1;
  }
}
