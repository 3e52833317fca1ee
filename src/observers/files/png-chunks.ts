/** Takes a PNG apart: header, packed pixels, and what is see-through. */
import { crc32 } from 'node:zlib';

export interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Bits of one sample. */
  readonly depth: number;
  /** Samples of one pixel. */
  readonly channels: number;
  readonly interlaced: boolean;
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** By colour type: grey, colour, palette, grey with alpha, colour with alpha. */
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

export function readPngChunks(content: Buffer) {
  if (!content.subarray(0, 8).equals(signature)) throw new Error('it does not begin as a PNG does');
  const packed: Buffer[] = [];
  let head: { header: PngHeader; type: number } | undefined;
  let alphas: Buffer = Buffer.alloc(0);
  let ended = false;
  for (let at = 8; at < content.length && !ended; ) {
    const { name, data, next } = chunkAt(content, at);
    if (name === 'IHDR') head = readHeader(data);
    if (name === 'IDAT') packed.push(data);
    if (name === 'tRNS') alphas = data;
    ended = name === 'IEND';
    at = next;
  }
  if (!head || !ended) throw new Error('it ends too early');
  const { header, type } = head;
  return {
    header,
    data: Buffer.concat(packed),
    /** Whether a pixel, as it is stored, cannot be seen. */
    transparent: (pixel: Buffer): boolean => isUnseen(pixel, type, header.depth, alphas),
  };
}

export type PngChunks = ReturnType<typeof readPngChunks>;

function chunkAt(content: Buffer, at: number): { name: string; data: Buffer; next: number } {
  if (at + 12 > content.length) throw new Error('it ends too early');
  const length = content.readUInt32BE(at);
  const next = at + 12 + length;
  if (next > content.length) throw new Error('it ends too early');
  const named = content.subarray(at + 4, at + 8 + length);
  if (crc32(named) !== content.readUInt32BE(next - 4)) throw new Error('a checksum is wrong');
  return { name: named.toString('latin1', 0, 4), data: named.subarray(4), next };
}

function readHeader(data: Buffer): { header: PngHeader; type: number } {
  if (data.length < 13) throw new Error('its header is too short');
  const [depth, type, packing, filter, interlace] = data.subarray(8, 13) as unknown as number[];
  const channels = channelsOf[type ?? -1];
  const width = data.readUInt32BE(0);
  const height = data.readUInt32BE(4);
  const isKnown =
    [1, 2, 4, 8, 16].includes(depth ?? 0) && packing === 0 && filter === 0 && (interlace ?? 2) <= 1;
  if (channels === undefined || !isKnown || width === 0 || height === 0)
    throw new Error('its header is invalid');
  return {
    header: { width, height, depth: depth as number, channels, interlaced: interlace === 1 },
    type: type as number,
  };
}

/** Alpha of its own for types 4 and 6, of the palette for 3, one see-through colour for 0 and 2. */
function isUnseen(pixel: Buffer, type: number, depth: number, alphas: Buffer): boolean {
  if (type === 4 || type === 6) return pixel.subarray(-Math.max(1, depth / 8)).every((byte) => byte === 0);
  if (alphas.length === 0) return false;
  if (type === 3) return alphas[pixel[0] ?? 0] === 0;
  const samples = depth === 16 ? pixel : Buffer.from([...pixel].flatMap((byte) => [0, byte]));
  return samples.equals(alphas);
}
