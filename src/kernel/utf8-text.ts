/** Decodes bytes to a text in which invalid UTF-8 is marked, because the intended characters are unknown. */
import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** Replaces any number of such bytes. */
export const foreignMark = '‹no-utf8›';

/** With `more` to come, an incomplete character at the end is left out. */
export function utf8Text(bytes: Buffer, more = false): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const parts: string[] = [];
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  // The replacement character may also be in the input.
  for (let from = 0, at = 0; at >= 0; from = at + replacement.length) {
    at = bytes.indexOf(replacement, from);
    const part = bytes.subarray(from, at < 0 ? undefined : at);
    parts.push(decoder.decode(part, { stream: more && at < 0 }).replaceAll(/\uFFFD+/g, foreignMark));
  }
  return parts.join('\uFFFD');
}

/** The same for bytes in pieces: an incomplete character waits for its rest, unless the piece is the last. */
export function createUtf8Reader(): (piece: Uint8Array, isLast?: boolean) => string {
  let begun = Buffer.alloc(0);
  return (piece, isLast = false) => {
    const bytes = Buffer.concat([begun, piece]);
    const end = bytes.length - (isLast ? 0 : begunBytes(bytes));
    begun = bytes.subarray(end);
    return utf8Text(bytes.subarray(0, end));
  };
}

/** The length of an incomplete character at the end. */
function begunBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/** Of a text in latin1. */
export function isAscii(latin: string): boolean {
  return !/[\x80-\xff]/.test(latin);
}

/** A header line, given as latin1: decoded as UTF-8 where it is valid, which is what most senders mean. */
export function headLine(latin: string): string {
  if (isAscii(latin)) return latin;
  const bytes = Buffer.from(latin, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : latin;
}

const replacement = Buffer.from('\uFFFD');
