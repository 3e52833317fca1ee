/** Cuts the bytes of one direction of a PostgreSQL connection into messages, in bounded memory. Pure. */

export interface PostgresFrame {
  /** One letter; empty for the first message of a connection, which has none. */
  readonly type: string;
  /** Its beginning; valid during the call only. */
  readonly body: Buffer;
  /** Of the whole body. */
  readonly bytes: number;
}

/** Larger ones are possible only in data; PostgreSQL itself allows 1 GB. */
const mostFrameBytes = 0x7fff_ffff;
/** As PostgreSQL limits the first message. */
const mostStartupBytes = 10_000;
const lengthBytes = 4;

export class FrameReader {
  /** The next message has no type: the first of a connection. */
  isUntyped: boolean;
  readonly #onFrame: (frame: PostgresFrame) => void;
  readonly #mostKeptBytes: number;
  #type = '';
  readonly #head = Buffer.alloc(5);
  #headBytes = 0;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #bodyBytes = 0;
  #leftBytes = -1;
  #isBroken = false;

  constructor(onFrame: (frame: PostgresFrame) => void, mostKeptBytes: number, isUntyped = false) {
    this.#onFrame = onFrame;
    this.#mostKeptBytes = mostKeptBytes;
    this.isUntyped = isUntyped;
  }

  /** False where these are not messages: nothing more can be read. */
  push(bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length && !this.#isBroken)
      at = this.#leftBytes < 0 ? this.#readHead(bytes, at) : this.#readBody(bytes, at);
    return !this.#isBroken;
  }

  /** No more is read. */
  stop(): void {
    this.#isBroken = true;
  }

  #readHead(bytes: Buffer, from: number): number {
    const wanted = this.isUntyped ? lengthBytes : lengthBytes + 1;
    if (this.#headBytes === 0 && bytes.length - from >= wanted) {
      this.#begin(bytes, from);
      return from + wanted;
    }
    const copied = Math.min(wanted - this.#headBytes, bytes.length - from);
    bytes.copy(this.#head, this.#headBytes, from, from + copied);
    this.#headBytes += copied;
    if (this.#headBytes === wanted) this.#begin(this.#head, 0);
    return from + copied;
  }

  #begin(head: Buffer, at: number): void {
    const length = head.readInt32BE(at + (this.isUntyped ? 0 : 1));
    const type = this.isUntyped ? '' : String.fromCharCode(head[at] as number);
    const most = this.isUntyped ? mostStartupBytes : mostFrameBytes;
    if (length < lengthBytes || length > most || !/^[A-Za-z0-9]?$/.test(type)) {
      this.#isBroken = true;
      return;
    }
    this.#type = type;
    this.#headBytes = 0;
    this.#bodyBytes = length - lengthBytes;
    this.#leftBytes = this.#bodyBytes;
    this.#kept = [];
    this.#keptBytes = 0;
    if (this.#leftBytes === 0) this.#end(empty);
  }

  #readBody(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#leftBytes);
    const isWhole = this.#leftBytes === this.#bodyBytes && end - from === this.#bodyBytes;
    this.#leftBytes -= end - from;
    const room = this.#mostKeptBytes - this.#keptBytes;
    const piece = bytes.subarray(from, Math.min(end, from + room));
    if (isWhole) this.#end(piece);
    else {
      if (piece.length > 0) this.#kept.push(Buffer.from(piece));
      this.#keptBytes += piece.length;
      if (this.#leftBytes === 0) this.#end(Buffer.concat(this.#kept));
    }
    return end;
  }

  #end(body: Buffer): void {
    this.#leftBytes = -1;
    this.isUntyped = false;
    this.#kept = [];
    this.#onFrame({ type: this.#type, body, bytes: this.#bodyBytes });
  }
}

const empty = Buffer.alloc(0);

/** Reads the fields of one message in their order; beyond its end, everything is empty. */
export class FieldReader {
  readonly #body: Buffer;
  #at = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  get isOver(): boolean {
    return this.#at >= this.#body.length;
  }

  int16(): number {
    return this.#number(2, (at) => this.#body.readInt16BE(at));
  }

  int32(): number {
    return this.#number(4, (at) => this.#body.readInt32BE(at));
  }

  uint32(): number {
    return this.#number(4, (at) => this.#body.readUInt32BE(at));
  }

  byte(): string {
    return this.bytes(1).toString('latin1');
  }

  /** Ended by a zero byte, which is not in it. */
  text(): string {
    const end = this.#body.indexOf(0, this.#at);
    const text = this.#body.toString('utf8', this.#at, end < 0 ? this.#body.length : end);
    this.#at = end < 0 ? this.#body.length : end + 1;
    return text;
  }

  /** Fewer where the message ends, or was cut, before that. */
  bytes(count: number): Buffer {
    const bytes = this.#body.subarray(this.#at, this.#at + count);
    this.#at += count;
    return bytes;
  }

  #number(bytes: number, read: (at: number) => number): number {
    const at = this.#at;
    this.#at += bytes;
    return at + bytes <= this.#body.length ? read(at) : 0;
  }
}
