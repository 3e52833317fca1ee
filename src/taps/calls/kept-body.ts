/** The body of one message while it passes: its beginning, and how long it was. */
import { isUtf8 } from 'node:buffer';
import type { CallMessage } from '../../journal/call-event.ts';
import type { HttpHeaders } from '../../protocols/http/http-message.ts';
import { callLimits } from './call-limits.ts';
import { type DecodedContent, decodeContent } from './decode-content.ts';
import { KeptEvents } from './kept-events.ts';
import { type MediaKind, mediaKind } from './media-type.ts';
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
    const { bytes, because } = this.#decode();
    if (because !== undefined) return because === 'too-large' ? { tooLarge: true } : {};
    return readBody(bytes, headers, this.#isCut);
  }

  /** Undefined where more passed than is kept, and where its coding could not be undone. */
  whole(): Buffer | undefined {
    const { bytes, because } = this.#decode();
    return this.#isCut || because !== undefined ? undefined : bytes;
  }

  get #isCut(): boolean {
    return this.bytes > this.#keptBytes;
  }

  #decode(): DecodedContent {
    const bytes = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    const encoding = this.#headers['content-encoding'];
    return encoding === undefined ? { bytes } : decodeContent(bytes, encoding);
  }
}

function readBody(bytes: Buffer, headers: HttpHeaders, cut: boolean): BodyEvidence {
  const kind = mediaKind(headers['content-type']);
  if (kind === 'events') return readEvents(bytes, cut);
  if (cut || bytes.length > mostBytes(kind)) return { ...cutText(bytes, kind), tooLarge: true };
  if (kind === 'unknown' && !isUtf8(bytes)) return {};
  const text = textOf(bytes, headers['content-type']);
  return (kind === 'json' ? readJson(text) : undefined) ?? { text };
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

/** A character that was cut in two is left out. */
function cutText(bytes: Buffer, kind: MediaKind): { readonly text?: string } {
  const kept = bytes.subarray(0, mostBytes(kind));
  const text = kept.toString('utf8').replace(/\ufffd$/, '');
  return kind === 'unknown' && text.includes('\ufffd') ? {} : { text };
}

function textOf(bytes: Buffer, contentType: string | undefined): string {
  const isLatin = contentType !== undefined && /charset="?(?:iso-8859-1|latin1|us-ascii)/i.test(contentType);
  return bytes.toString(isLatin ? 'latin1' : 'utf8');
}
