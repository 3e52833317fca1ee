import { expect, test } from 'vitest';
import { type OutputPiece, readFrames } from './stream-frames.ts';

function frame(from: 1 | 2, text: string): Buffer {
  const head = Buffer.alloc(8);
  head[0] = from;
  head.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
}

async function* pieces(all: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

async function read(source: AsyncIterable<Uint8Array>, isRaw = false) {
  const text = { stdout: '', stderr: '' };
  const order: OutputPiece['from'][] = [];
  for await (const { from, bytes } of readFrames(source, isRaw)) {
    text[from] += bytes.toString();
    if (order.at(-1) !== from) order.push(from);
  }
  return { ...text, order };
}

const all = Buffer.concat([frame(1, 'one\n'), frame(2, 'oh no\n'), frame(1, ''), frame(1, 'two\n')]);

test.each([1, 3, 7, 8, 9, 1_000])('in pieces of %i bytes', async (size) => {
  expect(await read(pieces(all, size))).toEqual({
    stdout: 'one\ntwo\n',
    stderr: 'oh no\n',
    order: ['stdout', 'stderr', 'stdout'],
  });
});

test('what is cut off is given as far as it came', async () => {
  expect(await read(pieces(all.subarray(0, all.length - 2), 5))).toMatchObject({ stdout: 'one\ntw' });
  expect(await read(pieces(all.subarray(0, 5), 5))).toMatchObject({ stdout: '', stderr: '' });
});

test('a terminal has no frames', async () => {
  expect(await read(pieces(Buffer.from('plain'), 2), true)).toMatchObject({ stdout: 'plain' });
});
