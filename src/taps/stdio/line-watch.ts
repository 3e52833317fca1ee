/** Cuts what passes into lines, each no longer than is kept of one. */
import { callLimits } from '../calls/call-limits.ts';

export interface SeenLine {
  /** Without its end; the beginning of one that is too large. */
  readonly bytes: Buffer;
  /** Of the whole line. */
  readonly length: number;
  /** It has more bytes than are kept, or its end never came. */
  readonly isCut: boolean;
  /** The end of a line that is too large; empty where it never came. */
  readonly tail: Buffer;
}

const lineFeed = 0x0a;
/** A line may come byte by byte, and each piece costs more than its bytes. */
const mostPieces = 256;
/** Of the end of a line that is too large: some write the id last. */
const tailBytes = 512;

export class LineWatch {
  readonly #onLine: (line: SeenLine) => void;
  #pieces: Buffer[] = [];
  #kept = 0;
  #length = 0;
  #tail: Buffer = Buffer.alloc(0);

  constructor(onLine: (line: SeenLine) => void) {
    this.#onLine = onLine;
  }

  push(bytes: Buffer): void {
    let from = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, from)) {
      this.#add(bytes.subarray(from, end));
      this.#complete(this.#length > this.#kept, this.#tail);
      from = end + 1;
    }
    this.#add(bytes.subarray(from));
  }

  /** A last line without its end is reported as cut. */
  end(): void {
    if (this.#length > 0) this.#complete(true, Buffer.alloc(0));
  }

  #add(piece: Buffer): void {
    this.#length += piece.length;
    const room = callLimits.jsonBytes - this.#kept;
    if (piece.length > room)
      this.#tail = Buffer.concat([this.#tail, piece.subarray(-tailBytes)]).subarray(-tailBytes);
    if (room <= 0 || piece.length === 0) return;
    const kept = Buffer.from(piece.subarray(0, room));
    this.#kept += kept.length;
    this.#pieces.push(kept);
    if (this.#pieces.length === mostPieces) this.#pieces = [Buffer.concat(this.#pieces)];
  }

  #complete(isCut: boolean, tail: Buffer): void {
    const line = { bytes: Buffer.concat(this.#pieces), length: this.#length, isCut, tail };
    this.#pieces = [];
    this.#kept = 0;
    this.#length = 0;
    this.#tail = Buffer.alloc(0);
    this.#onLine(line);
  }
}
