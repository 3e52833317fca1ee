/** The bytes of `sendRaw`, piece by piece as they are to be written, with the pauses between them. */
import { createReadStream } from 'node:fs';
import { driverLimits } from '../driver-limits.ts';
import { hexBytes } from '../hex-bytes.ts';
import { findStepFile } from '../step-file.ts';
import type { Raw } from './tcp-step.ts';

/** Bytes, or milliseconds to wait. */
export type RawPiece = Uint8Array | number;

/** Everything that can be wrong is found before the first byte. */
export async function rawPieces(
  raw: Raw | readonly Raw[],
  folder: string,
): Promise<() => AsyncGenerator<RawPiece>> {
  const parts = (Array.isArray(raw) ? (raw as readonly Raw[]) : [raw as Raw]).flatMap(inLine);
  if (parts.length > driverLimits.rawPieces) {
    throw new Error(`\`sendRaw\` has ${parts.length} pieces; at most ${driverLimits.rawPieces} are sent`);
  }
  const sources: RawSource[] = [];
  for (const part of parts) sources.push({ ...(await sourceOf(part, folder)), pauseMs: part.pauseMs ?? 0 });
  const bytes = sources.reduce((sum, source) => sum + source.bytes, 0);
  if (bytes > driverLimits.rawBytes) {
    throw new Error(`\`sendRaw\` has ${bytes} bytes; at most ${driverLimits.rawBytes} are sent`);
  }
  return () => piecesOf(sources);
}

interface RawSource {
  readonly bytes: number;
  readonly pauseMs: number;
  chunks(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

function inLine(raw: Raw): Raw[] {
  const line: Raw[] = [];
  for (let next: Raw | undefined = raw; next && line.length <= driverLimits.rawPieces; next = next.then) {
    line.push(next);
  }
  return line;
}

async function sourceOf(raw: Raw, folder: string): Promise<Omit<RawSource, 'pauseMs'>> {
  if (raw.text !== undefined) return whole(Buffer.from(raw.text));
  if (raw.hex !== undefined) return whole(hexBytes(raw.hex));
  if (raw.repeat !== undefined) return repeated(Buffer.from(raw.repeat), raw.bytes);
  if (raw.file !== undefined) {
    const { path, bytes } = await findStepFile(raw.file, folder);
    return { bytes, chunks: () => createReadStream(path) };
  }
  if (raw.pauseMs !== undefined) return whole(Buffer.alloc(0));
  throw new Error('a piece of `sendRaw` has none of `text`, `hex`, `file` and `repeat`');
}

function whole(content: Buffer): Omit<RawSource, 'pauseMs'> {
  return { bytes: content.length, chunks: () => slices(content) };
}

function* slices(content: Buffer): Generator<Uint8Array> {
  for (let from = 0; from < content.length; from += driverLimits.writeBytes) {
    yield content.subarray(from, from + driverLimits.writeBytes);
  }
}

function repeated(unit: Buffer, bytes: number | undefined): Omit<RawSource, 'pauseMs'> {
  if (bytes === undefined || !Number.isSafeInteger(bytes) || bytes < 0) {
    throw new Error('`repeat` needs `bytes`: how many bytes to fill');
  }
  if (unit.length === 0) throw new Error('`repeat` needs at least one character');
  return { bytes, chunks: () => repetitions(unit, bytes) };
}

function* repetitions(unit: Buffer, bytes: number): Generator<Uint8Array> {
  const block = Buffer.alloc(
    Math.max(1, Math.floor(driverLimits.writeBytes / unit.length)) * unit.length,
    unit,
  );
  for (let left = bytes; left > 0; left -= block.length) {
    yield left >= block.length ? block : block.subarray(0, left);
  }
}

async function* piecesOf(sources: readonly RawSource[]): AsyncGenerator<RawPiece> {
  for (const source of sources) {
    yield* source.chunks();
    if (source.pauseMs > 0) yield source.pauseMs;
  }
}
