/** Cuts one direction of an HTTP connection into the parts of its messages, each with its bytes as they came. */
import type { HttpListener, HttpReader } from '../../protocols/http/http-reader.ts';
import type { Part } from './exchange-edit.ts';

/** `plain`: not part of a readable message: interim answers, bytes that are not HTTP, a protocol after an upgrade. */
export type Piece<Head> = Part<Head> | { readonly is: 'plain'; readonly raw: Buffer };

export interface SplitterOptions<Head> {
  readonly createReader: (listener: HttpListener<Head>) => HttpReader;
  readonly onHead: (head: Head) => 'no-body' | 'stop' | undefined;
  /** The bytes are valid during the call only. */
  readonly onPiece: (piece: Piece<Head>) => void;
}

const noBytes = Buffer.alloc(0);
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** The line end with which these bytes begin, or its first half. */
function lineEnd(bytes: Buffer): number {
  if (bytes[0] === lineFeed) return 1;
  if (bytes[0] !== carriageReturn) return 0;
  return bytes[1] === lineFeed ? 2 : 1;
}

export class MessageSplitter<Head extends { readonly cut?: true }> {
  readonly #reader: HttpReader;
  readonly #onPiece: (piece: Piece<Head>) => void;
  /** Bytes before the end of a head: no more than the reader takes for one. */
  #begun: Buffer[] = [];
  #isInBody = false;
  /** What the reader reported during one step. */
  #head: Head | undefined;
  #isOver = false;
  #bodies: Uint8Array[] = [];

  constructor({ createReader, onHead, onPiece }: SplitterOptions<Head>) {
    this.#onPiece = onPiece;
    this.#reader = createReader({
      onHead: (head) => {
        if (head.cut) return 'stop';
        this.#head = head;
        return onHead(head);
      },
      onBody: (bytes) => void this.#bodies.push(bytes),
      onEnd: () => {
        this.#isOver = true;
      },
    });
  }

  /** Between two messages, with nothing of the next one. */
  get isBetween(): boolean {
    return this.#reader.isBetween && this.#reader.state === 'reading';
  }

  /** What comes is read as HTTP no longer. */
  get isPlain(): boolean {
    return this.#reader.state !== 'reading';
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.isPlain) {
        this.#passPlain(at === 0 ? chunk : chunk.subarray(at));
        return;
      }
      const next = this.#reader.step(chunk, at);
      const raw = chunk.subarray(at, next);
      if (this.#isInBody) this.#passBody(raw);
      else this.#passHead(raw);
      at = next;
    }
  }

  /** No more bytes will come. Says whether that leaves no message unfinished. */
  end(): boolean {
    const isWhole = this.isBetween || this.isPlain;
    this.#reader.end();
    if (!this.#isOver) return isWhole;
    this.#finish();
    return true;
  }

  /** Bytes of a head that never became one. */
  takeBegun(): Buffer {
    const begun = Buffer.concat(this.#begun);
    this.#begun = [];
    return begun;
  }

  #passHead(raw: Buffer): void {
    const head = this.#head;
    this.#head = undefined;
    if (head !== undefined) {
      this.#isInBody = true;
      this.#onPiece({ is: 'head', head, raw: this.#whole(raw), ...(this.#isOver ? { isLast: true } : {}) });
      if (this.#isOver) this.#finish();
    } else if (this.isPlain || this.#reader.isBetween) this.#passPlain(this.#whole(raw));
    else this.#begun.push(Buffer.from(raw));
  }

  #passPlain(raw: Buffer): void {
    if (raw.length > 0) this.#onPiece({ is: 'plain', raw });
  }

  /** With what came before it of the same head. */
  #whole(raw: Buffer): Buffer {
    if (this.#begun.length === 0) return raw;
    this.#begun.push(raw);
    return this.takeBegun();
  }

  #passBody(raw: Buffer): void {
    const bodies = this.#bodies;
    this.#bodies = [];
    const isLast = this.#isOver ? { isLast: true as const } : {};
    let at = 0;
    for (const body of bodies) {
      const from = body.byteOffset - raw.byteOffset;
      const to = from + body.length;
      if (from > at) this.#passFrame(raw.subarray(at, from));
      at = to;
      this.#onPiece({ is: 'body', raw: raw.subarray(from, to), ...(to === raw.length ? isLast : {}) });
    }
    if (at < raw.length) this.#passFrame(raw.subarray(at), isLast);
    if (this.#isOver) this.#finish();
  }

  /** The end of a chunk is a part of its own, so that it can go on before the next one does. */
  #passFrame(raw: Buffer, isLast: { readonly isLast?: true } = {}): void {
    const end = lineEnd(raw);
    if (end > 0)
      this.#onPiece({ is: 'frame', raw: raw.subarray(0, end), ...(end < raw.length ? {} : isLast) });
    if (end < raw.length) this.#onPiece({ is: 'frame', raw: raw.subarray(end), ...isLast });
  }

  #finish(): void {
    this.#isOver = false;
    this.#isInBody = false;
    this.#onPiece({ is: 'end', raw: noBytes });
  }
}
