import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { observerLimits } from '../observer-limits.ts';
import { viewPng } from './view-png.ts';

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  /** 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha. */
  readonly type?: number;
  readonly interlaced?: boolean;
  /** Each line with its filter first. */
  readonly lines: readonly (readonly number[])[];
  readonly transparency?: readonly number[];
}

function png({
  width,
  height,
  depth = 8,
  type = 2,
  interlaced = false,
  lines,
  transparency,
}: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, type, 0, 0, interlaced ? 1 : 0], 8);
  const packed = deflateSync(Buffer.from(lines.flat()));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(transparency ? [chunk('tRNS', Buffer.from(transparency))] : []),
    // Pixels may come in as many parts as one likes.
    chunk('IDAT', packed.subarray(0, 5)),
    chunk('IDAT', packed.subarray(5)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

test.each<[string, Picture, number]>([
  [
    'white all over',
    {
      width: 2,
      height: 2,
      lines: [
        [0, ...Array(6).fill(255)],
        [0, ...Array(6).fill(255)],
      ],
    },
    1,
  ],
  [
    'one pixel of another colour',
    {
      width: 2,
      height: 2,
      lines: [
        [0, 9, 9, 9, 9, 9, 9],
        [0, 9, 9, 9, 9, 9, 8],
      ],
    },
    2,
  ],
  [
    'encoded as the difference to the left',
    { width: 3, height: 1, lines: [[1, 7, 7, 7, 0, 0, 0, 0, 0, 0]] },
    1,
  ],
  [
    'encoded as the difference to above',
    {
      width: 1,
      height: 2,
      lines: [
        [0, 7, 7, 7],
        [2, 0, 0, 0],
      ],
    },
    1,
  ],
  [
    'encoded as the difference to the mean',
    {
      width: 2,
      height: 2,
      type: 0,
      lines: [
        [0, 8, 8],
        [3, 4, 0],
      ],
    },
    1,
  ],
  [
    'encoded as the difference to the guess',
    {
      width: 2,
      height: 2,
      type: 0,
      lines: [
        [0, 8, 8],
        [4, 0, 0],
      ],
    },
    1,
  ],
  [
    'encoded as the difference, and different',
    {
      width: 2,
      height: 2,
      type: 0,
      lines: [
        [0, 8, 8],
        [4, 0, 1],
      ],
    },
    2,
  ],
  ['one bit each', { width: 9, height: 1, depth: 1, type: 0, lines: [[0, 0xff, 0x00]] }, 2],
  [
    'one bit each, and the rest of the byte does not count',
    { width: 9, height: 1, depth: 1, type: 0, lines: [[0, 0xff, 0x80]] },
    1,
  ],
  ['sixteen bits each', { width: 2, height: 1, depth: 16, type: 0, lines: [[0, 1, 0, 1, 1]] }, 2],
  ['nothing that can be seen', { width: 2, height: 1, type: 6, lines: [[0, 1, 2, 3, 0, 4, 5, 6, 0]] }, 1],
  ['half of it can be seen', { width: 2, height: 1, type: 4, lines: [[0, 5, 0, 5, 255]] }, 2],
  [
    'a palette with two unseen colours',
    { width: 2, height: 1, type: 3, lines: [[0, 0, 1]], transparency: [0, 0] },
    1,
  ],
  ['a palette', { width: 2, height: 1, type: 3, lines: [[0, 0, 1]] }, 2],
  [
    'woven',
    {
      width: 3,
      height: 3,
      type: 0,
      interlaced: true,
      lines: [
        [0, 5],
        [0, 5],
        [0, 5, 5],
        [0, 5],
        [0, 5],
        [0, 5, 5, 5],
      ],
    },
    1,
  ],
])('%s', (_, picture, colours) => {
  const { width, height } = picture;
  expect(viewPng(png(picture))).toEqual({ format: 'png', width, height, blank: colours === 1, colours });
});

test('counting ends at a limit', () => {
  const line = [0, ...Array.from({ length: 1000 }, (_, n) => [n & 255, n >> 8, 0]).flat()];
  expect(viewPng(png({ width: 1000, height: 1, lines: [line] }))).toMatchObject({
    blank: false,
    colours: observerLimits.colours,
  });
});

describe('what is not a picture', () => {
  const whole = png({ width: 2, height: 1, type: 0, lines: [[0, 1, 2]] });

  test('another format', () => {
    expect(() => viewPng(Buffer.from('GIF89a'))).toThrow(/does not begin as a PNG/);
  });

  test('cut anywhere, it ends too early', () => {
    for (let length = 8; length < whole.length; length += 1)
      expect(() => viewPng(whole.subarray(0, length))).toThrow(/ends too early/);
  });

  test('a byte is wrong', () => {
    for (let at = 8; at < whole.length; at += 1) {
      const wrong = Buffer.from(whole);
      wrong[at] = (wrong[at] as number) ^ 1;
      expect(() => viewPng(wrong)).toThrow();
    }
  });

  test('fewer pixels than it says, and more than can be unpacked', () => {
    expect(() => viewPng(png({ width: 9, height: 9, lines: [[0, 1]] }))).toThrow(/fewer pixels/);
    expect(() =>
      viewPng(png({ width: 0xffffffff, height: 0xffffffff, depth: 16, type: 6, lines: [[0, 1]] })),
    ).toThrow(/fewer pixels/);
    expect(() => viewPng(png({ width: 1, height: 1, lines: [[9, 1, 2, 3]] }))).toThrow(/filter/);
  });
});
