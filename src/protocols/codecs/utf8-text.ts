/** Strict UTF-8: what is not exactly UTF-8 is refused, and characters are counted as they arrive. */
import type { ByteQueue } from './byte-queue.ts';
import { BrokenRule } from './codec.ts';

/** The text of the bytes, a byte order mark included. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BrokenRule(
      'not-utf8',
      `the payload is not UTF-8: ${Buffer.from(bytes.subarray(0, 16)).toString('hex')}…`,
    );
  }
}

/** Half a surrogate pair has no bytes in UTF-8; encoders silently put a replacement character there. */
export function encodeUtf8(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new BrokenRule('not-encodable', 'the text contains half a surrogate pair');
  return new TextEncoder().encode(text);
}

/** The distance at which the character that begins here ends; undefined when its bytes have not all arrived. */
export function characterEnd(queue: ByteQueue, from: number): number | undefined {
  const lead = queue.at(from);
  if (lead === undefined) return undefined;
  const size = characterSize(lead);
  if (size === 0) throw new BrokenRule('not-utf8', `the byte ${hex(lead)} begins no UTF-8 character`);
  for (let i = 1; i < size; i += 1) {
    const byte = queue.at(from + i);
    if (byte === undefined) return undefined;
    if (!continues(lead, i, byte))
      throw new BrokenRule('not-utf8', `the byte ${hex(byte)} cannot follow ${hex(lead)}`);
  }
  return from + size;
}

function characterSize(lead: number): 0 | 1 | 2 | 3 | 4 {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/** Overlong forms, surrogates and code points beyond U+10FFFF show in the second byte. */
const secondByteRange: Readonly<Record<number, readonly [number, number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};

function continues(lead: number, index: number, byte: number): boolean {
  const [low, high] = (index === 1 ? secondByteRange[lead] : undefined) ?? [0x80, 0xbf];
  return byte >= low && byte <= high;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
