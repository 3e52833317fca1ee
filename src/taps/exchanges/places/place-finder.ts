/** Finds a place in the body of a response while it comes. */
import type { ResponseHead } from '../../../protocols/http/http-message.ts';
import { mediaKind } from '../../../protocols/http/media-type.ts';
import type { Place } from '../exchange-rule.ts';
import { eventFinder } from './event-finder.ts';
import { textFinder } from './text-finder.ts';

export interface PlaceFinder {
  /** Shown each piece of the body once. */
  push(bytes: Buffer): Progress;
}

export interface Progress {
  /** How many of the bytes that are still held may be forwarded. */
  readonly bytes: number;
  /** The place comes right after them. */
  readonly found?: string;
  /** It can no longer be found. */
  readonly gaveUp?: true;
}

/** Undefined where this response cannot have such a place: no stream of events, or a compressed body. */
export function placeFinder(
  place: Exclude<Place, { head: true }>,
  head: ResponseHead,
): PlaceFinder | undefined {
  if ('byte' in place) return byteFinder(place.byte);
  if (!isReadable(head)) return undefined;
  if ('inside' in place) return textFinder(place.inside);
  return isEventStream(head) ? eventFinder(place) : undefined;
}

/** A compressed body passes as it is. */
export function isReadable({ headers }: ResponseHead): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding === '' || encoding === 'identity';
}

export function isEventStream(head: ResponseHead): boolean {
  return isReadable(head) && mediaKind(head.headers['content-type']) === 'events';
}

export function byteFinder(byte: number): PlaceFinder {
  let left = byte;
  return {
    push: (bytes) => {
      if (bytes.length < left) {
        left -= bytes.length;
        return { bytes: bytes.length };
      }
      const last = left;
      left = 0;
      return { bytes: last, found: `after ${byte} ${byte === 1 ? 'byte' : 'bytes'}` };
    },
  };
}
