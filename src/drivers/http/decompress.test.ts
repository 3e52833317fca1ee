import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decompress } from './decompress.ts';

const text = Buffer.from('{"text":"hello hello hello"}');

test.each([
  ['gzip', gzipSync(text)],
  ['X-GZIP', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['zstd', zstdCompressSync(text)],
  ['identity', text],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
])('%s', (encoding, bytes) => {
  expect(decompress(bytes, encoding, 1_000)).toEqual({ bytes: text });
});

test('what cannot be unpacked is told', () => {
  expect(decompress(text, 'gzip', 1_000)).toEqual({ fault: expect.stringMatching(/says gzip and is not/) });
  expect(decompress(text, 'lzw', 1_000)).toEqual({ fault: expect.stringMatching(/"lzw" is unknown/) });
  expect(decompress(text, 'toString', 1_000)).toHaveProperty('fault');
});

test('a bomb does not go off', () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  expect(decompress(bomb, 'gzip', 1_000)).toEqual({ fault: 'unpacked it has more than 1000 bytes' });
});
