/** Gives the lines of an unpacked PNG, each as the pixels that are in it. Pure. */
import type { PngHeader } from './png-chunks.ts';

export interface PngLine {
  /** Whole bytes for each pixel, in the samples in which it is stored. */
  readonly pixels: Buffer;
  readonly pixelBytes: number;
}

/** Where each of the seven passes of an interlaced image begins, and its steps: x, y, by x, by y. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export function* pngLines(header: PngHeader, unpacked: Buffer): Generator<PngLine> {
  const { width, height } = header;
  const parts = header.interlaced
    ? passes.map(([x, y, byX, byY]) => [Math.ceil((width - x) / byX), Math.ceil((height - y) / byY)] as const)
    : [[width, height] as const];
  let at = 0;
  for (const [columns, rows] of parts) {
    if (columns <= 0 || rows <= 0) continue;
    at = yield* linesOfPart(header, unpacked, at, columns, rows);
  }
}

function* linesOfPart(
  { depth, channels }: PngHeader,
  unpacked: Buffer,
  from: number,
  columns: number,
  rows: number,
): Generator<PngLine, number> {
  const lineBytes = Math.ceil((columns * channels * depth) / 8);
  const pixelBytes = Math.max(1, (channels * depth) / 8);
  let before: Buffer = Buffer.alloc(Math.min(lineBytes, unpacked.length));
  let at = from;
  for (let row = 0; row < rows; row += 1) {
    const filter = unpacked[at];
    const line = unpacked.subarray(at + 1, at + 1 + lineBytes);
    if (filter === undefined || line.length < lineBytes)
      throw new Error('it has fewer pixels than its header says');
    unfilter(filter, line, before, pixelBytes);
    yield { pixels: depth < 8 ? spread(line, columns, depth) : line, pixelBytes };
    before = line;
    at += 1 + lineBytes;
  }
  return at;
}

/** One byte for each pixel where several share one. */
function spread(line: Buffer, columns: number, depth: number): Buffer {
  const pixels = Buffer.alloc(columns);
  const perByte = 8 / depth;
  for (let column = 0; column < columns; column += 1) {
    const shift = 8 - depth * ((column % perByte) + 1);
    pixels[column] = ((line[Math.floor(column / perByte)] as number) >> shift) & (2 ** depth - 1);
  }
  return pixels;
}

/** In place: each byte is stored as its difference from what is to the left, above, or predicted from both. */
function unfilter(filter: number, line: Buffer, before: Buffer, pixelBytes: number): void {
  if (filter > 4) throw new Error('it has a filter that does not exist');
  if (filter === 0) return;
  for (let index = 0; index < line.length; index += 1) {
    const left = index >= pixelBytes ? (line[index - pixelBytes] as number) : 0;
    const up = before[index] as number;
    const corner = index >= pixelBytes ? (before[index - pixelBytes] as number) : 0;
    line[index] = (line[index] as number) + predicted(filter, left, up, corner);
  }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
