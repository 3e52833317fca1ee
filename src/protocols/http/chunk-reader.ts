/** Takes a body out of its chunks, whatever pieces they come in. */

/** Hexadecimal digits of a size that a number can hold; zeros before them are allowed. */
const mostDigits = 12;
const mostZeros = 256;
const mostTrailerBytes = 16 * 1024;

export type ChunkState = 'more' | 'done' | 'broken';

type Place = 'size' | 'extension' | 'data' | 'after-data' | 'trailer';

export class ChunkReader {
  readonly #onBody: (bytes: Uint8Array) => void;
  #place: Place = 'size';
  #size = 0;
  #digits = 0;
  #lineIsEmpty = true;
  readonly #trailer: number[] = [];

  constructor(onBody: (bytes: Uint8Array) => void) {
    this.#onBody = onBody;
  }

  /** The fields after the last chunk, as they came. */
  get trailer(): Buffer {
    return Buffer.from(this.#trailer);
  }

  /** How many bytes were used, from this place on, and whether there are more to come. */
  read(bytes: Uint8Array, from: number): { readonly next: number; readonly state: ChunkState } {
    let at = from;
    while (at < bytes.length) {
      if (this.#place === 'data') {
        at = this.#passData(bytes, at);
        continue;
      }
      const state = this.#readByte(bytes[at] as number);
      at += 1;
      if (state !== 'more') return { next: at, state };
    }
    return { next: at, state: 'more' };
  }

  #passData(bytes: Uint8Array, at: number): number {
    const end = Math.min(bytes.length, at + this.#size);
    this.#onBody(bytes.subarray(at, end));
    this.#size -= end - at;
    if (this.#size === 0) this.#place = 'after-data';
    return end;
  }

  #readByte(byte: number): ChunkState {
    switch (this.#place) {
      case 'size':
        return this.#readSize(byte);
      case 'extension':
        return byte === lineFeed ? this.#sizeIsKnown() : 'more';
      case 'after-data':
        if (byte === lineFeed) this.#beginSize();
        return byte === lineFeed || byte === carriageReturn ? 'more' : 'broken';
      default:
        return this.#readTrailer(byte);
    }
  }

  #readSize(byte: number): ChunkState {
    const digit = hexDigit(byte);
    if (digit !== -1) {
      this.#size = this.#size * 16 + digit;
      this.#digits += 1;
      return this.#size >= 16 ** mostDigits || this.#digits > mostZeros ? 'broken' : 'more';
    }
    if (this.#digits === 0) return 'broken';
    if (byte === lineFeed) return this.#sizeIsKnown();
    if (byte !== semicolon && byte !== carriageReturn && byte !== space && byte !== tab) return 'broken';
    this.#place = 'extension';
    return 'more';
  }

  #beginSize(): void {
    this.#place = 'size';
    this.#size = 0;
    this.#digits = 0;
  }

  #sizeIsKnown(): ChunkState {
    this.#place = this.#size === 0 ? 'trailer' : 'data';
    this.#lineIsEmpty = true;
    return 'more';
  }

  /** An empty line is the end. */
  #readTrailer(byte: number): ChunkState {
    if (this.#trailer.length < mostTrailerBytes) this.#trailer.push(byte);
    if (byte === lineFeed && this.#lineIsEmpty) return 'done';
    if (byte === lineFeed) this.#lineIsEmpty = true;
    else if (byte !== carriageReturn) this.#lineIsEmpty = false;
    return 'more';
  }
}

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const semicolon = 0x3b;

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
