/** The content of a body for observers: decoded, in its charset, as JSON, as events or as text. Pure. */
import { isUtf8 } from 'node:buffer';
import { unpack } from '../../kernel/content-coding.ts';
import { isSignature } from '../../kernel/signature-header.ts';
import { foreignMark } from '../../kernel/utf8-text.ts';
import { readJson } from '../json-rpc/read-json.ts';
import { EventEvidence, type EventLimits, type EventsReading } from '../sse/event-evidence.ts';
import type { HttpHeaders } from './http-message.ts';
import { bodyText, mediaKind } from './media-type.ts';

/** `broken`: it is not what it says. */
export type BodyReading = Partial<EventsReading> & {
  readonly json?: unknown;
  readonly text?: string;
  /** The exact text of JSON that is signed. */
  readonly rawBody?: string;
};

export interface BodyLimits {
  /** Of what is read, once it is unpacked. */
  readonly bytes: number;
  /** Of what it may unpack to. */
  readonly unpackedBytes: number;
  readonly events: EventLimits;
}

/** How much of it is there. */
export interface BodyState {
  /** No more will come. */
  readonly isWhole: boolean;
  /** Only the beginning of what came is there. */
  readonly isCut: boolean;
}

export function readBody(
  bytes: Buffer,
  headers: HttpHeaders,
  { isWhole, isCut }: BodyState,
  limits: BodyLimits,
): BodyReading {
  const { 'content-encoding': coding, 'content-type': type } = headers;
  const isAll = isWhole && !isCut;
  const mostBytes = limits.unpackedBytes;
  const whole = isAll ? unpack(bytes, coding, { mostBytes }) : undefined;
  const fault = whole && 'fault' in whole && !whole.tooLarge ? whole.fault : undefined;
  const begun = whole && fault === undefined ? whole : unpack(bytes, coding, { mostBytes, mayBeCut: true });
  if ('fault' in begun) return begun.tooLarge ? { tooLarge: true } : { broken: begun.fault };
  const read = readPlain(begun.bytes, type, { isWhole: isAll && fault === undefined, isCut }, limits);
  if ('json' in read && isSigned(headers) && isUtf8(bytes)) return { ...read, rawBody: bytes.toString() };
  return fault === undefined ? read : { ...read, unfinished: true, broken: fault };
}

/** Of what is packed, the text is not what was sent. */
function isSigned(headers: HttpHeaders): boolean {
  return headers['content-encoding'] === undefined && Object.keys(headers).some(isSignature);
}

function readPlain(
  bytes: Buffer,
  type: string | undefined,
  { isWhole, isCut }: BodyState,
  limits: BodyLimits,
): BodyReading {
  const media = mediaKind(type);
  if (media === 'events') {
    const events = new EventEvidence(limits.events);
    events.push(bytes);
    return { ...events.evidence(isWhole), ...(isCut ? { tooLarge: true } : {}) };
  }
  const tooLarge = isCut || bytes.length > limits.bytes;
  const text = bodyText(type, tooLarge ? bytes.subarray(0, limits.bytes) : bytes, tooLarge || !isWhole);
  if (text === undefined) return tooLarge ? { tooLarge } : {};
  if (tooLarge) return { text, tooLarge };
  // Where more may come, only what cannot go on is JSON already.
  if (media !== 'json' || !(isWhole || /[}\]]\s*$/.test(text))) return { text };
  const read = isUtf8(bytes) || !text.includes(foreignMark) ? readJson(text) : { fault: 'it is not UTF-8' };
  if ('json' in read) return read;
  return isWhole ? { text, broken: `declared as JSON, but invalid: ${read.fault}` } : { text };
}
