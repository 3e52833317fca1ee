import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteQueue } from './byte-queue.ts';
import { characterEnd, decodeUtf8, encodeUtf8 } from './utf8-text.ts';

/** Bytes around every border of the encoding. */
const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        0x00,
        0x7f,
        0x80,
        0x8f,
        0x90,
        0x9f,
        0xa0,
        0xbf,
        0xc0,
        0xc1,
        0xc2,
        0xdf,
        0xe0,
        0xed,
        0xef,
      ),
      fc.constantFrom(0xf0, 0xf3, 0xf4, 0xf5, 0xff),
      fc.nat(255),
    ),
    { maxLength: 5 },
  )
  .map((list) => Uint8Array.from(list));

test('walking over characters accepts exactly what the platform decodes, and counts as it does', () => {
  fc.assert(
    fc.property(bytes, (data) => {
      expect(walk(data)).toBe(platformCount(data));
    }),
    { numRuns: 20_000 },
  );
});

test('a text comes back, its byte order mark included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(text.isWellFormed());
      expect(decodeUtf8(encodeUtf8(`\ufeff${text}`))).toBe(`\ufeff${text}`);
    }),
  );
});

test('half a surrogate pair is refused', () =>
  expect(() => encodeUtf8('a\udc00')).toThrow('half a surrogate pair'));

/** The number of characters; undefined when the bytes are not UTF-8 or end too early. */
function walk(data: Uint8Array): number | undefined {
  const queue = createByteQueue();
  queue.append(data);
  let at = 0;
  let count = 0;
  try {
    for (; at < data.length; count += 1) {
      const end = characterEnd(queue, at);
      if (end === undefined) return undefined;
      at = end;
    }
    return count;
  } catch {
    return undefined;
  }
}

function platformCount(data: Uint8Array): number | undefined {
  try {
    return [...new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data)].length;
  } catch {
    return undefined;
  }
}
