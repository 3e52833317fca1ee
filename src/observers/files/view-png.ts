/** Looks at a PNG: its size, how many colours it has, and whether it shows anything. Pure. */
import { inflateSync } from 'node:zlib';
import { observerLimits } from '../observer-limits.ts';
import { type PngChunks, readPngChunks } from './png-chunks.ts';
import { type PngLine, pngLines } from './png-lines.ts';

export interface ImageView {
  readonly format: 'png';
  readonly width: number;
  readonly height: number;
  /** Every pixel looks the same, or none can be seen at all. */
  readonly blank: boolean;
  /** Different colours; counting stops at a limit. */
  readonly colours: number;
}

export function viewPng(content: Buffer): ImageView {
  const png = readPngChunks(content);
  const { width, height } = png.header;
  const unpacked = inflateSync(png.data, { maxOutputLength: observerLimits.imageBytes });
  const colours = countColours(png, unpacked);
  return { format: 'png', width, height, blank: colours <= 1, colours };
}

function countColours({ header, transparent }: PngChunks, unpacked: Buffer): number {
  const seen = new Set<string>();
  let before: Buffer | undefined;
  for (const line of pngLines(header, unpacked)) {
    if (before?.equals(line.pixels)) continue;
    before = line.pixels;
    for (const pixel of changesAlong(line)) {
      // What cannot be seen has one colour, whatever its other values say.
      seen.add(transparent(pixel) ? 'unseen' : pixel.toString('latin1'));
      if (seen.size >= observerLimits.colours) return seen.size;
    }
  }
  return seen.size;
}

/** The pixels of a line that differ from the one before them. */
function* changesAlong({ pixels, pixelBytes }: PngLine): Generator<Buffer> {
  for (let at = 0; at < pixels.length; at += pixelBytes) {
    let isSame = at > 0;
    for (let offset = 0; isSame && offset < pixelBytes; offset += 1)
      isSame = pixels[at + offset] === pixels[at + offset - pixelBytes];
    if (!isSame) yield pixels.subarray(at, at + pixelBytes);
  }
}
