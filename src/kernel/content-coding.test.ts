import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unpack } from './content-coding.ts';

const text = Buffer.from('{"text":"hello hello hello"}');

test.each([
  ['gzip', gzipSync(text)],
  ['X-GZIP', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['zstd', zstdCompressSync(text)],
  ['identity', text],
  ['UTF-8', text],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
])('%s', (encoding, bytes) => {
  expect(unpack(bytes, encoding, { mostBytes: 1_000 })).toEqual({ bytes: text });
});

test('a body that cannot be decompressed is reported', () => {
  expect(unpack(text, 'gzip', { mostBytes: 1_000 })).toMatchObject({
    fault: expect.stringMatching(/is not valid gzip/),
  });
  expect(unpack(text, 'lzw', { mostBytes: 1_000 })).toMatchObject({
    fault: expect.stringMatching(/"lzw" is unknown/),
  });
  expect(unpack(text, 'toString', { mostBytes: 1_000 })).toHaveProperty('fault');
});

test('a decompression bomb is stopped at the limit', () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  expect(unpack(bomb, 'gzip', { mostBytes: 1_000 })).toMatchObject({
    fault: 'unpacked it has more than 1000 bytes',
    tooLarge: true,
  });
});
