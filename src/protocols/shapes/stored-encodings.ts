/** Encodings of content that compress nothing: legal gzip and brotli, flushed behind every piece. */

/** Bytes of one stored block. */
const mostBlockBytes = 0xffff;

/** A piece for each input, with the head and the trailer at the ends. */
export function storedGzip(inputs: readonly Uint8Array[]): Uint8Array[] {
  const head = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
  const pieces = inputs.map((input) =>
    Buffer.concat(blocksOf(input).flatMap((block) => [deflateHead(block), block])),
  );
  const all = Buffer.concat(inputs);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(all), 0);
  trailer.writeUInt32LE(all.length >>> 0, 4);
  return [head, ...pieces, Buffer.concat([Uint8Array.of(1, 0, 0, 0xff, 0xff), trailer])];
}

function deflateHead(block: Uint8Array): Uint8Array {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(block.length, 1);
  head.writeUInt16LE(~block.length & 0xffff, 3);
  return head;
}

/** As RFC 7932 has it: one bit for the window of 16 bits, then meta-blocks that are not compressed, then an empty last one. */
export function storedBrotli(inputs: readonly Uint8Array[]): Uint8Array[] {
  let isFirst = true;
  const pieces = inputs.map((input) =>
    Buffer.concat(
      blocksOf(input).flatMap((block) => {
        // From the lowest bit: not last (1), four nibbles (2), length - 1 (16), uncompressed (1).
        const bits = ((block.length - 1) << 3) | (1 << 19);
        const shifted = isFirst ? bits << 1 : bits;
        isFirst = false;
        return [Uint8Array.of(shifted & 0xff, (shifted >>> 8) & 0xff, (shifted >>> 16) & 0xff), block];
      }),
    ),
  );
  return [...pieces, Uint8Array.of(isFirst ? 6 : 3)];
}

function blocksOf(bytes: Uint8Array): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  for (let from = 0; from < bytes.length; from += mostBlockBytes) {
    blocks.push(bytes.subarray(from, from + mostBlockBytes));
  }
  return blocks;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}
