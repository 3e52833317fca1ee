/** Bytes as a text in which those that are no UTF-8 are marked: nobody knows which characters they were meant to be. */
import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** Stands for any number of such bytes. */
export const foreignMark = '‹no-utf8›';

/** `more` is to come: the beginning of a character at the end is left out. */
export function utf8Text(bytes: Buffer, more = false): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const parts: string[] = [];
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  // The character that replaces others may also have been written as such.
  for (let from = 0, at = 0; at >= 0; from = at + replacement.length) {
    at = bytes.indexOf(replacement, from);
    const part = bytes.subarray(from, at < 0 ? undefined : at);
    parts.push(decoder.decode(part, { stream: more && at < 0 }).replaceAll(/\uFFFD+/g, foreignMark));
  }
  return parts.join('\uFFFD');
}

/** A line of a head, given as a latin1 text: UTF-8 where it is, as most mean it. */
export function headLine(latin: string): string {
  if (!/[\x80-\xff]/.test(latin)) return latin;
  const bytes = Buffer.from(latin, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : latin;
}

const replacement = Buffer.from('\uFFFD');
