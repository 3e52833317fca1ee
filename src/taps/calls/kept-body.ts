/** The body of one message while it passes: its beginning, and how long it was. */
import type { CallMessage } from '../../journal/call-event.ts';
import { type Unpacked, unpack } from '../../kernel/content-coding.ts';
import type { HttpHeaders } from '../../protocols/http/http-message.ts';
import { bodyText, type MediaKind, mediaKind } from '../../protocols/http/media-type.ts';
import { callLimits } from './call-limits.ts';
import { KeptEvents } from './kept-events.ts';
import { readJson } from './read-json.ts';

export type BodyEvidence = Pick<CallMessage, 'json' | 'text' | 'events'> & { readonly tooLarge?: true };

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
    this.#most = mostBytes(mediaKind(headers['content-type']));
  }

  /** The piece is copied: its memory belongs to the connection. */
  add(piece: Uint8Array): void {
    this.bytes += piece.length;
    const room = this.#most - this.#keptBytes;
    if (room <= 0) return;
    const kept = Buffer.from(piece.length > room ? piece.subarray(0, room) : piece);
    this.#keptBytes += kept.length;
    this.#pieces.push(kept);
    if (this.#pieces.length === mostPieces) this.#pieces = [Buffer.concat(this.#pieces)];
  }

  evidence(): BodyEvidence {
    const headers = this.#headers;
    if (this.bytes === 0) return {};
    const unpacked = this.#unpack();
    if ('fault' in unpacked) return unpacked.tooLarge ? { tooLarge: true } : {};
    return readBody(unpacked.bytes, headers, this.#isCut);
  }

  /** Undefined where more passed than is kept, and where its coding could not be undone. */
  whole(): Buffer | undefined {
    const unpacked = this.#unpack();
    return this.#isCut || 'fault' in unpacked ? undefined : unpacked.bytes;
  }

  /** All of the body passed, and the end of its coding is not in it. Events that came are whole, each of them. */
  get isUnfinished(): boolean {
    const { 'content-encoding': coding, 'content-type': type } = this.#headers;
    if (coding === undefined || this.bytes === 0 || this.#isCut || mediaKind(type) === 'events') return false;
    return 'fault' in this.#unpack(false) && !('fault' in this.#unpack());
  }

  get #isCut(): boolean {
    return this.bytes > this.#keptBytes;
  }

  #unpack(mayBeCut = true): Unpacked {
    const bytes = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    return unpack(bytes, this.#headers['content-encoding'], {
      mostBytes: callLimits.unfoldedBytes,
      mayBeCut,
    });
  }
}

function readBody(bytes: Buffer, headers: HttpHeaders, cut: boolean): BodyEvidence {
  const type = headers['content-type'];
  const kind = mediaKind(type);
  if (kind === 'events') return readEvents(bytes, cut);
  const isLarge = cut || bytes.length > mostBytes(kind);
  const text = bodyText(type, isLarge ? bytes.subarray(0, mostBytes(kind)) : bytes, isLarge);
  const kept = text === undefined ? {} : { text };
  if (isLarge) return { ...kept, tooLarge: true };
  return (kind === 'json' && text !== undefined ? readJson(text) : undefined) ?? kept;
}

function mostBytes(kind: MediaKind): number {
  return kind === 'json' || kind === 'events' ? callLimits.jsonBytes : callLimits.bodyBytes;
}

function readEvents(bytes: Buffer, cut: boolean): BodyEvidence {
  const kept = new KeptEvents();
  kept.push(bytes);
  const evidence = kept.evidence();
  return cut ? { ...evidence, tooLarge: true } : evidence;
}
