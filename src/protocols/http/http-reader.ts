/** Reads one direction of an HTTP/1.1 connection as it passes: heads, bodies, ends, however the bytes are cut. */
import { headLine, isAscii } from '../../kernel/utf8-text.ts';
import { createByteQueue } from '../codecs/byte-queue.ts';
import { type BodyFrame, requestFrame, responseFrame } from './body-frame.ts';
import { ChunkReader } from './chunk-reader.ts';
import {
  type HttpHeaders,
  parseHeaders,
  parseRequestHead,
  parseResponseHead,
  type RequestHead,
  type ResponseHead,
} from './http-message.ts';

/** A larger head is reported as far as it goes, and nothing is read after it. */
export const mostHeadBytes = 64 * 1024;

export interface HttpListener<Head> {
  /** `no-body`: the answer to a HEAD. `stop`: what follows is another protocol. */
  onHead(head: Head): 'no-body' | 'stop' | undefined;
  /** A piece of the body without its framing; a view that is valid during the call only. */
  onBody(bytes: Uint8Array): void;
  /** With the fields that came after a body in chunks. */
  onEnd(trailers?: HttpHeaders): void;
}

/** `broken`: it is not HTTP, or contradicts itself. `stopped`: what follows cannot be understood, by agreement or for its size. */
export type ReaderState = 'reading' | 'broken' | 'stopped';

export interface HttpReader {
  readonly state: ReaderState;
  /** Nothing of a message has come since the last one ended. */
  readonly isBetween: boolean;
  push(bytes: Uint8Array): ReaderState;
  /** Reads on from a place, no further than to the end of a head or of a message, and gives the place that it reached. */
  step(bytes: Uint8Array, from: number): number;
  /** No more bytes will come; a body that lasts until then is complete. */
  end(): void;
}

export function createRequestReader(listener: HttpListener<RequestHead>): HttpReader {
  return new MessageReader(listener, {
    beginsWell: beginsLikeRequest,
    parse: parseRequestHead,
    frame: requestFrame,
    isInterim: () => false,
  });
}

/** Interim answers (1xx but 101) are passed over. */
export function createResponseReader(listener: HttpListener<ResponseHead>): HttpReader {
  return new MessageReader(listener, {
    beginsWell: beginsLikeResponse,
    parse: parseResponseHead,
    frame: responseFrame,
    isInterim: ({ status }) => status < 200 && status !== 101,
  });
}

interface Kind<Head> {
  /** Whether the bytes from this place on can become a head, as far as its first bytes show. */
  beginsWell(bytes: Uint8Array, from: number): boolean;
  parse(text: string): Head | undefined;
  frame(head: Head): BodyFrame | undefined;
  isInterim(head: Head): boolean;
}

class MessageReader<Head extends { readonly cut?: true }> implements HttpReader {
  state: ReaderState = 'reading';
  readonly #listener: HttpListener<Head>;
  readonly #kind: Kind<Head>;
  /** The beginning of a head whose end has not come. */
  #partial = createByteQueue();
  #lineIsEmpty = true;
  #firstLineIsRead = false;
  #searchedBytes = 0;
  #frame: BodyFrame | undefined;
  #leftBytes = 0;
  #chunks: ChunkReader | undefined;

  constructor(listener: HttpListener<Head>, kind: Kind<Head>) {
    this.#listener = listener;
    this.#kind = kind;
  }

  get isBetween(): boolean {
    return this.#frame === undefined && this.#partial.length === 0;
  }

  push(bytes: Uint8Array): ReaderState {
    for (let at = 0; at < bytes.length && this.state === 'reading'; ) at = this.step(bytes, at);
    return this.state;
  }

  step(bytes: Uint8Array, from: number): number {
    if (this.state !== 'reading') return bytes.length;
    return this.#frame === undefined ? this.#readHead(bytes, from) : this.#readBody(bytes, from);
  }

  end(): void {
    if (this.state === 'reading' && this.#frame?.by === 'end') this.#complete();
    if (this.state === 'reading') this.state = 'stopped';
  }

  #readHead(bytes: Uint8Array, from: number): number {
    const start = this.#partial.length === 0 ? skipEmptyLines(bytes, from) : from;
    if (start === bytes.length) return start;
    const isWhole = this.#partial.length === 0;
    if (isWhole && !this.#kind.beginsWell(bytes, start)) return this.#break(bytes);
    const end = this.#findHeadEnd(bytes, start);
    if (this.#partial.length + (end === -1 ? bytes.length : end) - start > mostHeadBytes)
      return this.#cutHead(bytes, start);
    if (isWhole && end !== -1) return this.#takeHead(textOf(bytes, start, end), bytes, end);
    this.#partial.append(bytes.subarray(start, end === -1 ? bytes.length : end));
    if (end !== -1) return this.#takeHead(this.#takePartial(), bytes, end);
    return this.#isHopeless() ? this.#break(bytes) : bytes.length;
  }

  /** The place after the empty line that ends the head; -1 when it has not come. */
  #findHeadEnd(bytes: Uint8Array, from: number): number {
    let lineIsEmpty = this.#lineIsEmpty;
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === lineFeed) {
        if (lineIsEmpty) {
          this.#lineIsEmpty = true;
          return at + 1;
        }
        lineIsEmpty = true;
      } else if (byte !== carriageReturn) lineIsEmpty = false;
    }
    this.#lineIsEmpty = lineIsEmpty;
    return -1;
  }

  /** What will never be a head is known by its first bytes, or by its first line. */
  #isHopeless(): boolean {
    if (this.#firstLineIsRead) return false;
    const firstEnd = this.#partial.indexOf(lineFeed, this.#searchedBytes);
    this.#searchedBytes = this.#partial.length;
    if (firstEnd === -1) return !this.#kind.beginsWell(this.#partial.peek(prefixBytes), 0);
    this.#firstLineIsRead = true;
    return this.#kind.parse(textOf(this.#partial.peek(firstEnd), 0, firstEnd)) === undefined;
  }

  #takeHead(text: string, bytes: Uint8Array, end: number): number {
    this.#firstLineIsRead = false;
    this.#searchedBytes = 0;
    const head = this.#kind.parse(text);
    if (head === undefined) return this.#break(bytes);
    if (this.#kind.isInterim(head)) return end;
    const frame = this.#kind.frame(head);
    if (frame === undefined) return this.#break(bytes);
    const decision = this.#listener.onHead(head);
    if (decision === 'stop') {
      this.#listener.onEnd();
      this.state = 'stopped';
    } else this.#begin(decision === 'no-body' ? { by: 'length', bytes: 0 } : frame);
    return end;
  }

  #cutHead(bytes: Uint8Array, start: number): number {
    const wanted = mostHeadBytes - this.#partial.length;
    this.#partial.append(bytes.subarray(start, start + wanted));
    const head = this.#kind.parse(wholeLines(this.#takePartial()));
    if (head === undefined) return this.#break(bytes);
    this.#listener.onHead({ ...head, cut: true });
    this.state = 'stopped';
    return bytes.length;
  }

  #begin(frame: BodyFrame): void {
    this.#frame = frame;
    if (frame.by === 'chunks') this.#chunks = new ChunkReader((piece) => this.#listener.onBody(piece));
    if (frame.by !== 'length') return;
    this.#leftBytes = frame.bytes;
    if (frame.bytes === 0) this.#complete();
  }

  #readBody(bytes: Uint8Array, from: number): number {
    if (this.#chunks !== undefined) return this.#readChunks(this.#chunks, bytes, from);
    const end = this.#frame?.by === 'length' ? Math.min(bytes.length, from + this.#leftBytes) : bytes.length;
    this.#listener.onBody(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end));
    this.#leftBytes -= end - from;
    if (this.#frame?.by === 'length' && this.#leftBytes === 0) this.#complete();
    return end;
  }

  #readChunks(chunks: ChunkReader, bytes: Uint8Array, from: number): number {
    const { next, state } = chunks.read(bytes, from);
    if (state === 'broken') return this.#break(bytes);
    if (state === 'done') this.#complete();
    return next;
  }

  #complete(): void {
    const trailer = this.#chunks?.trailer;
    this.#frame = undefined;
    this.#chunks = undefined;
    this.#listener.onEnd(
      trailer && trailer.length > 2 ? parseHeaders(textOf(trailer, 0, trailer.length), 0) : undefined,
    );
  }

  #break(bytes: Uint8Array): number {
    this.state = 'broken';
    return bytes.length;
  }

  /** A new queue, so that a connection that is quiet holds no memory of an earlier head. */
  #takePartial(): string {
    const { length } = this.#partial;
    const text = textOf(this.#partial.take(length), 0, length);
    this.#partial = createByteQueue();
    return text;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;

/** The longest method and the space after it. */
const prefixBytes = 33;

function beginsLikeRequest(bytes: Uint8Array, from: number): boolean {
  const end = Math.min(bytes.length, from + prefixBytes);
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === space) return at > from;
    if (tokenBytes[byte] !== 1) return false;
  }
  return end < from + prefixBytes;
}

const tokenBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[!#$%&'*+\-.^_`|~0-9A-Za-z]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

const version = Buffer.from('HTTP/1.');

function beginsLikeResponse(bytes: Uint8Array, from: number): boolean {
  for (let at = 0; at < version.length && from + at < bytes.length; at += 1) {
    if (bytes[from + at] !== version[at]) return false;
  }
  return true;
}

/** Some peers send a line end too many after a body. */
function skipEmptyLines(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] === lineFeed || bytes[at] === carriageReturn)) at += 1;
  return at;
}

/** Where not even the first line is whole, its end is made up, so that at least the method is reported. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  return end === 0 ? `${text} HTTP/1.1` : text.slice(0, end);
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = buffer.toString('latin1', from, to);
  return isAscii(text) ? text : text.split('\n').map(headLine).join('\n');
}
