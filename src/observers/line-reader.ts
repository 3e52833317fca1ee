/** Cuts a growing file into lines, chunk by chunk, each byte read once, and skips quickly what cannot matter. */
import { closeSync, read } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { findPlainFile } from '../kernel/folders/own-file.ts';
import { limits } from '../kernel/limits.ts';
import { countNewlines, isReturn, type LineEnds, newlines, newlinesAndReturns } from './lines-of-block.ts';
import { ObservationError } from './observer.ts';
import { observerLimits } from './observer-limits.ts';

export interface RawLine {
  /** Counted from where the reading began, from 1. */
  readonly number: number;
  /** Where in the file it begins. */
  readonly offset: number;
  /** Without its end. Only good until the next line is handed over. */
  readonly bytes: Buffer;
  /** It is longer than allowed, and `bytes` is its beginning. */
  readonly isCut: boolean;
  /** Of the whole line. */
  readonly length: number;
}

export interface LineReader {
  /** Hands over every line that was finished since the last time. A file that is not there has none. */
  readOn(file: string, take: (line: RawLine) => void): Promise<void>;
  /** What has been written of the next line. */
  unfinished(): RawLine | undefined;
  /** So far the file has been read. */
  offset(): number;
}

export interface LineReaderOptions {
  /** The offset at which to begin. */
  readonly from: number;
  /** A longer line is cut. */
  readonly lineBytes: number;
  readonly signal: AbortSignal;
  /** Only lines with one of these texts in them are wanted; the others are counted. */
  readonly texts?: readonly string[];
  /** Awaited after each chunk, so that the consumer of the lines can keep up. */
  readonly pause?: () => Promise<void>;
  /** A carriage return ends a line, too, as in what progress bars write. */
  readonly endsAtReturn?: true;
  /** What follows is skipped where the file has a huge hole; otherwise that is refused. */
  readonly skipsHoles?: true;
}

const readAt = promisify(read);

/** What is needed at one time is one chunk and one line, however much was written. */
export function createLineReader(options: LineReaderOptions): LineReader {
  const { from, lineBytes, signal, texts, pause } = options;
  const needles = texts?.map((text) => Buffer.from(text));
  const cutter = options.endsAtReturn
    ? holdingReturns(createCutter(lineBytes, from, needles, newlinesAndReturns))
    : createCutter(lineBytes, from, needles, newlines);
  const state = { offset: from };
  return {
    readOn: async (file, take) => {
      const opened = findPlainFile(file, 'followed');
      if (!opened) return;
      const { descriptor, stats } = opened;
      try {
        const { size, blocks } = stats;
        const holeBytes = size - state.offset - blocks * 512;
        if (holeBytes > limits.holeBytes) {
          if (!options.skipsHoles) throw hasHole(file, holeBytes);
          state.offset = size;
        }
        const buffer = Buffer.allocUnsafe(
          Math.max(1, Math.min(observerLimits.chunkBytes, size - state.offset)),
        );
        while (state.offset < size) {
          signal.throwIfAborted();
          const wanted = Math.min(buffer.length, size - state.offset);
          const { bytesRead } = await readAt(descriptor, buffer, 0, wanted, state.offset);
          if (bytesRead === 0) break;
          state.offset += bytesRead;
          cutter.take(buffer.subarray(0, bytesRead), take);
          await pause?.();
        }
      } finally {
        closeSync(descriptor);
      }
    },
    unfinished: cutter.unfinished,
    offset: () => state.offset,
  };
}

/** A service has set the length of the file, or so much was dropped from it. */
function hasHole(file: string, bytes: number): ObservationError {
  return new ObservationError(
    `${path.basename(file)} has a hole of at least ${bytes} bytes, so that its lines cannot be read`,
  );
}

interface Cutter {
  take(chunk: Buffer, take: (line: RawLine) => void): void;
  unfinished(): RawLine | undefined;
}

/** A carriage return at the end of a chunk waits for the next one, which shows what it is. */
function holdingReturns(cutter: Cutter): Cutter {
  let held = Buffer.alloc(0);
  return {
    take: (chunk, take) => {
      const whole = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      const end = whole.length - (isReturn(whole.at(-1)) ? 1 : 0);
      held = Buffer.from(whole.subarray(end));
      cutter.take(whole.subarray(0, end), take);
    },
    unfinished: cutter.unfinished,
  };
}

/** Puts chunks together again where a line goes over their border. */
function createCutter(
  lineBytes: number,
  from: number,
  needles: readonly Buffer[] | undefined,
  ends: LineEnds,
): Cutter {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let seenBytes = 0;
  let lineOffset = from;
  let lines = 0;
  /** The beginning of a line that continues in the next chunk. */
  const keep = (bytes: Buffer): void => {
    finder?.push(bytes);
    seenBytes += bytes.length;
    const part = bytes.subarray(0, lineBytes - keptBytes);
    if (part.length === 0) return;
    kept.push(Buffer.from(part));
    keptBytes += part.length;
  };
  const keptLine = (): RawLine => {
    kept = [Buffer.concat(kept)];
    const [bytes] = kept as [Buffer];
    return { number: lines + 1, offset: lineOffset, bytes, isCut: seenBytes > lineBytes, length: seenBytes };
  };
  /** A text behind the place where a line is cut counts, too, wherever chunks begin and end. */
  const finder = needles && createFinder(needles);
  const finishKept = (rest: Buffer, endBytes: number, take: (line: RawLine) => void): void => {
    keep(rest);
    if (finder?.found() ?? true) take(keptLine());
    finder?.reset();
    lineOffset += seenBytes + endBytes;
    kept = [];
    keptBytes = 0;
    seenBytes = 0;
  };
  const takeBlock = (block: Buffer, take: (line: RawLine) => void): void => {
    for (const { number, at, end } of ends.lines(block, needles)) {
      const bytes = block.subarray(at, Math.min(end, at + lineBytes));
      const length = end - at;
      take({ number: lines + number, offset: lineOffset + at, bytes, isCut: length > lineBytes, length });
    }
    lines += countNewlines(block);
    lineOffset += block.length;
  };
  return {
    take: (chunk, take) => {
      const first = seenBytes > 0 ? ends.first(chunk) : undefined;
      if (first) finishKept(chunk.subarray(0, first.at), first.next - first.at, take);
      if (first?.isNewline) lines += 1;
      const rest = chunk.subarray(first?.next ?? 0);
      const restAt = seenBytes > 0 ? 0 : ends.rest(rest);
      if (restAt > 0) takeBlock(rest.subarray(0, restAt), take);
      keep(rest.subarray(restAt));
    },
    unfinished: () => (seenBytes > 0 ? keptLine() : undefined),
  };
}

/** Finds a text in a line that comes in pieces, without keeping more of it than the text is long. */
function createFinder(needles: readonly Buffer[]) {
  const longest = Math.max(1, ...needles.map((needle) => needle.length));
  let tail = Buffer.alloc(0);
  let isFound = false;
  return {
    push: (piece: Buffer): void => {
      if (isFound || piece.length === 0) return;
      const both = Buffer.concat([tail, piece]);
      isFound = needles.some((needle) => both.includes(needle));
      tail = Buffer.from(both.subarray(Math.max(0, both.length - longest + 1)));
    },
    found: (): boolean => isFound,
    /** Another line begins. */
    reset: (): void => {
      tail = Buffer.alloc(0);
      isFound = false;
    },
  };
}
