/** The answer to one request, as far as it has come. */

import { mediaKind } from '../../protocols/http/media-type.ts';
import { type KeptBytes, keepBytes } from '../kept-bytes.ts';
import { bodyEvidence } from './body-evidence.ts';
import { createEventReader, type EventReader } from './event-reader.ts';
import { headerEvidence, headerText, type RawHeaders } from './response-headers.ts';

/** Who ended an event stream: the peer, the step's time, or the limit of what is kept. */
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
  /** No more will come. */
  end(by: StreamEnd): void;
  evidence(): Readonly<Record<string, unknown>>;
}

export function beginAnswer(
  method: string,
  status: number,
  headers: RawHeaders,
  mostBytes: number,
): HttpAnswer {
  const contentType = headerText(headers, 'content-type');
  const body = keepBytes(mostBytes);
  const stream = mediaKind(contentType) === 'events' ? createEventReader(mostBytes) : undefined;
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  let endedBy: StreamEnd | undefined;
  const bodyFacts = (): Readonly<Record<string, unknown>> => {
    if (stream) return streamEvidence(stream, endedBy);
    if (!hasBody) return {};
    const contentEncoding = headerText(headers, 'content-encoding');
    return {
      ...bodyEvidence(body, { contentType, contentEncoding, isWhole: endedBy === 'peer', mostBytes }),
    };
  };
  return {
    status,
    location: headerText(headers, 'location'),
    saysKeepAlive: /keep-alive/i.test(headerText(headers, 'connection') ?? ''),
    isStream: stream !== undefined,
    onlyAnnounces: !hasBody && method !== 'HEAD' && Number(headerText(headers, 'content-length')) > 0,
    get bodyBytes() {
      return body.bytes;
    },
    push: (chunk) => {
      pushTo(body, stream, chunk);
    },
    get isFull() {
      return stream?.isFull ?? false;
    },
    end: (by) => {
      endedBy = by;
    },
    evidence: () => ({ status, headers: headerEvidence(headers), ...bodyFacts(), bytes: body.bytes }),
  };
}

function pushTo(body: KeptBytes, stream: EventReader | undefined, chunk: Buffer): void {
  body.push(chunk);
  stream?.push(chunk);
}

function streamEvidence(
  stream: EventReader,
  endedBy: StreamEnd | undefined,
): Readonly<Record<string, unknown>> {
  return {
    events: stream.events(),
    ...(endedBy === undefined ? {} : { endedBy }),
    ...(stream.isFull ? { truncated: true } : {}),
    ...(endedBy === 'peer' && stream.unfinished ? { broken: 'the stream ended inside of an event' } : {}),
  };
}
