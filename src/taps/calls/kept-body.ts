/** The body of one message while it passes: its beginning, and how long it was. */
import { unpack } from '../../kernel/content-coding.ts';
import type { HttpHeaders } from '../../protocols/http/http-message.ts';
import { mediaKind } from '../../protocols/http/media-type.ts';
import { type BodyReading, readBody } from '../../protocols/http/read-body.ts';
import { callLimits } from './call-limits.ts';

/** A body may come byte by byte, and each piece costs more than its bytes. */
const mostPieces = 256;

export class KeptBody {
  bytes = 0;
  #keptBytes = 0;
  #pieces: Buffer[] = [];
  readonly #headers: HttpHeaders;
  readonly #most: number;

  constructor(headers: HttpHeaders) {
    this.#headers = headers;
    const media = mediaKind(headers['content-type']);
    this.#most = media === 'json' || media === 'events' ? callLimits.jsonBytes : callLimits.bodyBytes;
  }

  /** The piece is copied: its memory belongs to the connection. */
  push(piece: Uint8Array): void {
    this.bytes += piece.length;
    const room = this.#most - this.#keptBytes;
    if (room <= 0) return;
    const kept = Buffer.from(piece.length > room ? piece.subarray(0, room) : piece);
    this.#keptBytes += kept.length;
    this.#pieces.push(kept);
    if (this.#pieces.length === mostPieces) this.#pieces = [Buffer.concat(this.#pieces)];
  }

  /** `isWhole`: no more will pass. */
  evidence(isWhole: boolean): BodyReading {
    if (this.bytes === 0) return {};
    const { unfoldedBytes: unpackedBytes, ofEvents: events } = callLimits;
    const limits = { bytes: this.#most, unpackedBytes, events };
    return readBody(this.#joined(), this.#headers, { isWhole, isCut: this.#isCut }, limits);
  }

  /** Undefined where more passed than is kept, and where it could not be decoded. */
  whole(): Buffer | undefined {
    const unpacked = unpack(this.#joined(), this.#headers['content-encoding'], {
      mostBytes: callLimits.unfoldedBytes,
      mayBeCut: true,
    });
    return this.#isCut || 'fault' in unpacked ? undefined : unpacked.bytes;
  }

  get #isCut(): boolean {
    return this.bytes > this.#keptBytes;
  }

  #joined(): Buffer {
    return this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
  }
}
