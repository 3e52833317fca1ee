/** The answer to one request, as far as it has come. */

import { isSignature } from '../../kernel/signature-header.ts';
import { headLine } from '../../kernel/utf8-text.ts';
import type { HttpHeaders } from '../../protocols/http/http-message.ts';
import { mediaKind } from '../../protocols/http/media-type.ts';
import { type BodyReading, readBody } from '../../protocols/http/read-body.ts';
import { driverLimits } from '../driver-limits.ts';
import { type KeptBytes, keepBytes } from '../kept-bytes.ts';

/** What ended an event stream: the peer, the step's time, or the limit of what is kept. */
export type StreamEnd = 'peer' | 'timeout' | 'cap';

export interface HttpAnswer {
  readonly status: number;
  readonly bodyBytes: number;
  readonly location: string | undefined;
  /** The peer promises to leave the connection open. */
  readonly saysKeepAlive: boolean;
  readonly isStream: boolean;
  /** It names the length of a body that it does not have, as a 304 may. */
  readonly onlyAnnounces: boolean;
  push(chunk: Buffer): void;
  /** More is not wanted. */
  readonly isFull: boolean;
  /** What came after the body. */
  takeTrailers(raw: RawHeaders): void;
  /** No more will come. */
  end(by: StreamEnd): void;
  evidence(): Readonly<Record<string, unknown>>;
}

export function beginAnswer(method: string, status: number, raw: RawHeaders, mostBytes: number): HttpAnswer {
  const names = ['content-type', 'content-encoding'];
  const signed = Object.keys(raw).filter(isSignature);
  const headers = Object.fromEntries(
    [...names, ...signed].flatMap((name) =>
      raw[name] === undefined ? [] : [[name, headerText(raw, name) ?? '']],
    ),
  );
  const body = keepBytes(mostBytes);
  const isStream = mediaKind(headers['content-type']) === 'events';
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  let endedBy: StreamEnd | undefined;
  let trailers: RawHeaders = {};
  return {
    status,
    location: headerText(raw, 'location'),
    saysKeepAlive: /keep-alive/i.test(headerText(raw, 'connection') ?? ''),
    isStream,
    onlyAnnounces: !hasBody && method !== 'HEAD' && Number(headerText(raw, 'content-length')) > 0,
    get bodyBytes() {
      return body.bytes;
    },
    push: body.push,
    get isFull() {
      return isStream && body.truncated;
    },
    takeTrailers: (came) => {
      trailers = came;
    },
    end: (by) => {
      endedBy = by;
    },
    evidence: () => ({
      status,
      headers: headerEvidence(raw),
      ...(hasBody || isStream ? bodyEvidence(body, headers, endedBy === 'peer', mostBytes) : {}),
      ...(isStream && endedBy !== undefined ? { endedBy } : {}),
      bytes: body.bytes,
      ...(Object.keys(trailers).length > 0 ? { trailers: headerEvidence(trailers) } : {}),
    }),
  };
}

type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Cookies are a list of their own: a date in one contains a comma. */
function headerEvidence(raw: RawHeaders): Readonly<Record<string, string | readonly string[]>> {
  const headers: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined) continue;
    if (name === 'set-cookie') headers.setCookie = [value].flat().map(headLine);
    else headers[name] = textOf(value);
  }
  return headers;
}

function headerText(raw: RawHeaders, name: string): string | undefined {
  const value = raw[name];
  return value === undefined ? undefined : textOf(value);
}

function textOf(value: string | readonly string[]): string {
  return typeof value === 'string' ? headLine(value) : value.map(headLine).join(', ');
}

type BodyEvidence = Omit<BodyReading, 'tooLarge' | 'unfinished'> & {
  readonly sha256?: string;
  readonly truncated?: true;
};

/** `isWhole`: no more will come. */
function bodyEvidence(
  body: KeptBytes,
  headers: HttpHeaders,
  isWhole: boolean,
  mostBytes: number,
): BodyEvidence {
  const type = headers['content-type'];
  const media = mediaKind(type);
  if (body.bytes === 0 && media !== 'events')
    return isWhole && media === 'json' ? { text: '', broken: 'declared as JSON, but empty' } : {};
  const { tooLarge, unfinished, ...read } = readBody(
    body.kept(),
    headers,
    { isWhole, isCut: body.truncated },
    { bytes: mostBytes, unpackedBytes: mostBytes, events: { events: driverLimits.events, chars: mostBytes } },
  );
  if (read.events) return { ...read, ...(tooLarge ? { truncated: true } : {}) };
  const isShown = 'json' in read || (read.text !== undefined && (media !== 'unknown' || type === undefined));
  return {
    // A beginning must not look like the whole.
    ...(unfinished && read.broken !== undefined ? { broken: read.broken } : read),
    ...(tooLarge || unfinished || !isShown ? { sha256: body.sha256() } : {}),
    ...(tooLarge ? { truncated: true } : {}),
  };
}
