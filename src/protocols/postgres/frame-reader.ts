/** Cuts the bytes of one direction of a PostgreSQL connection into messages, in bounded memory. Pure. */
import { cutMark } from '../../kernel/cut-mark.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import { textBetween } from '../stores/text-between.ts';

export interface PostgresFrame {
  /** One letter; empty for the first message of a connection, which has none. */
  readonly type: string;
  /** Its beginning; valid during the call only. */
  readonly fields: FieldReader;
  /** Of the whole body. */
  readonly bytes: number;
}

/** Larger ones are possible only in data; PostgreSQL itself allows 1 GB. */
const mostFrameBytes = 0x7fff_ffff;
/** As PostgreSQL limits the first message. */
const mostStartupBytes = 10_000;
const lengthBytes = 4;
const empty = Buffer.alloc(0);

export class FrameReader {
  /** The next message has no type: the first of a connection. */
  isUntyped: boolean;
  readonly #onFrame: (frame: PostgresFrame) => void;
  readonly #mostKeptBytes: number;
  #type = '';
  readonly #head = Buffer.alloc(5);
  /** The same for every message: there are many, and most are in one piece. */
  readonly #fields = new FieldReader(empty);
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
    const type = this.isUntyped ? '' : typeNames[head[at] as number];
    const most = this.isUntyped ? mostStartupBytes : mostFrameBytes;
    if (length < lengthBytes || length > most || type === undefined) {
      this.#isBroken = true;
      return;
    }
    this.#type = type;
    this.#headBytes = 0;
    this.#bodyBytes = length - lengthBytes;
    this.#leftBytes = this.#bodyBytes;
    this.#keptBytes = 0;
    if (this.#leftBytes === 0) this.#end(empty, 0, 0);
  }

  #readBody(bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + this.#leftBytes);
    const isWhole = this.#leftBytes === this.#bodyBytes && end - from === this.#bodyBytes;
    this.#leftBytes -= end - from;
    const room = this.#mostKeptBytes - this.#keptBytes;
    const keptEnd = Math.min(end, from + room);
    if (isWhole) this.#end(bytes, from, keptEnd);
    else {
      if (keptEnd > from) this.#kept.push(Buffer.from(bytes.subarray(from, keptEnd)));
      this.#keptBytes += keptEnd - from;
      if (this.#leftBytes === 0) this.#endKept(Buffer.concat(this.#kept));
    }
    return end;
  }

  #endKept(body: Buffer): void {
    this.#kept = [];
    this.#end(body, 0, body.length);
  }

  #end(body: Buffer, from: number, to: number): void {
    this.#leftBytes = -1;
    this.isUntyped = false;
    this.#fields.read(body, from, to);
    this.#onFrame({ type: this.#type, fields: this.#fields, bytes: this.#bodyBytes });
  }
}

/** By their byte. */
const typeNames = Array.from({ length: 256 }, (_, byte) =>
  /^[A-Za-z0-9]$/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : undefined,
);

export interface SizedPart {
  /** As it was said; the part is shorter where the message was cut. */
  readonly bytes: number;
  readonly part: Buffer;
}

/** Reads the fields of one message in their order; beyond its end, everything is empty. */
export class FieldReader {
  #body: Buffer;
  #at = 0;
  #end: number;

  constructor(body: Buffer) {
    this.#body = body;
    this.#end = body.length;
  }

  /** Another message, which is a part of these bytes. */
  read(bytes: Buffer, from: number, to: number): void {
    this.#body = bytes;
    this.#at = from;
    this.#end = to;
  }

  get isOver(): boolean {
    return this.#at >= this.#end;
  }

  get leftBytes(): number {
    return Math.max(0, this.#end - this.#at);
  }

  /** All that is left. */
  rest(): Buffer {
    return this.bytes(this.leftBytes);
  }

  int16(): number {
    return this.#skips(2) ? this.#body.readInt16BE(this.#at - 2) : 0;
  }

  uint16(): number {
    return this.#skips(2) ? this.#body.readUInt16BE(this.#at - 2) : 0;
  }

  int32(): number {
    return this.#skips(4) ? this.#body.readInt32BE(this.#at - 4) : 0;
  }

  uint32(): number {
    return this.#skips(4) ? this.#body.readUInt32BE(this.#at - 4) : 0;
  }

  byte(): string {
    return this.#skips(1) ? String.fromCharCode(this.#body[this.#at - 1] as number) : '';
  }

  /** Ended by a zero byte, which is not in it; marked where the message was cut before that. */
  text(): string {
    const from = this.#at;
    const found = this.#body.indexOf(0, from);
    const isEnded = found >= 0 && found < this.#end;
    this.#at = isEnded ? found + 1 : Math.max(from, this.#end);
    if (isEnded) return textBetween(this.#body, from, found);
    return from < this.#end ? `${utf8Text(this.#body.subarray(from, this.#end), true)}${cutMark}` : '';
  }

  /** A value with its length before it; null for none, undefined where the message was cut before its length. */
  sized(): SizedPart | null | undefined {
    const bytes = this.size();
    return bytes === undefined ? undefined : bytes < 0 ? null : { bytes, part: this.bytes(bytes) };
  }

  /** The length of a value, which follows; negative for none, undefined where the message was cut before it. */
  size(): number | undefined {
    if (this.leftBytes >= lengthBytes) return this.int32();
    this.#at = Math.max(this.#at, this.#end);
    return undefined;
  }

  /** As it is, of a value that is whole. */
  plainText(bytes: number): string {
    const from = this.#at;
    this.#at += bytes;
    return this.#body.toString('utf8', from, this.#at);
  }

  /** Fewer where the message ends, or was cut, before that. */
  bytes(count: number): Buffer {
    const from = Math.min(this.#at, this.#end);
    this.#at += count;
    return this.#body.subarray(from, Math.min(this.#at, this.#end));
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  /** False where the message ends, or was cut, before that. */
  #skips(bytes: number): boolean {
    this.#at += bytes;
    return this.#at <= this.#end;
  }
}
