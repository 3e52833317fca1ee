/** Finds lines in bytes that end with the end of a line. Pure. */

const newline = 0x0a;
const carriageReturn = 0x0d;

export interface FoundLine {
  /** Counted within the block, from 1. */
  readonly number: number;
  readonly at: number;
  /** Where its end of line is. */
  readonly end: number;
}

/** What ends a line. */
export interface LineEnds {
  /** Of the first line: where it is, and where the next line begins. */
  first(
    bytes: Buffer,
  ): { readonly at: number; readonly next: number; readonly isNewline: boolean } | undefined;
  /** Where the part begins that has no end yet; 0 where there is no end of a line. */
  rest(bytes: Buffer): number;
  /** Undefined texts: every line. */
  lines(block: Buffer, needles: readonly Buffer[] | undefined): Iterable<FoundLine>;
}

export const newlines: LineEnds = {
  first: (bytes) => {
    const at = bytes.indexOf(newline);
    return at < 0 ? undefined : { at, next: at + 1, isNewline: true };
  },
  rest: (bytes) => bytes.lastIndexOf(newline) + 1,
  lines: (block, needles) => (needles ? linesWith(block, needles) : everyLine(block)),
};

/**
 * A carriage return alone is one, too, unless nothing is before it. The line keeps its number. The last byte must not be one,
 * because it may be the first half of an end of line.
 */
export const newlinesAndReturns: LineEnds = {
  first: (bytes) => {
    const line = newlines.first(bytes);
    const at = bytes.subarray(0, line?.at).indexOf(carriageReturn);
    if (at < 0) return line;
    const isNewline = line?.at === at + 1;
    return { at, next: at + (isNewline ? 2 : 1), isNewline };
  },
  rest: (bytes) => Math.max(bytes.lastIndexOf(newline), bytes.lastIndexOf(carriageReturn)) + 1,
  *lines(block, needles) {
    for (const line of newlines.lines(block, needles))
      for (const part of partsOf(block, line))
        if (!needles || needles.some((needle) => block.subarray(part.at, part.end).includes(needle)))
          yield part;
  },
};

export function isReturn(byte: number | undefined): boolean {
  return byte === carriageReturn;
}

function* partsOf(block: Buffer, { number, at, end }: FoundLine): Generator<FoundLine> {
  const isNewline = block[end] === newline;
  const lastEnd = isNewline && end > at && isReturn(block[end - 1]) ? end - 1 : end;
  for (let from = at; from <= lastEnd; ) {
    const place = block.subarray(from, lastEnd).indexOf(carriageReturn);
    const to = place < 0 ? lastEnd : from + place;
    if (to > from || (to === lastEnd && isNewline)) yield { number, at: from, end: to };
    from = to + 1;
  }
}

function* everyLine(block: Buffer): Generator<FoundLine> {
  let number = 0;
  for (let at = 0; at < block.length; ) {
    const end = endFrom(block, at);
    number += 1;
    yield { number, at, end };
    at = end + 1;
  }
}

/** The search for a text is the machine's own; lines without one are not looked at, only counted. */
export function* linesWith(block: Buffer, needles: readonly Buffer[]): Generator<FoundLine> {
  const next = needles.map((needle) => block.indexOf(needle));
  let counted = 0;
  let number = 1;
  for (;;) {
    const first = next.reduce((least, place) => (place >= 0 && place < least ? place : least), block.length);
    if (first === block.length) return;
    const at = first === 0 ? 0 : block.lastIndexOf(newline, first - 1) + 1;
    const end = endFrom(block, first);
    number += countNewlines(block.subarray(counted, at));
    counted = at;
    yield { number, at, end };
    for (const [index, needle] of needles.entries()) {
      const place = next[index] as number;
      if (place >= 0 && place < end) next[index] = block.indexOf(needle, end);
    }
  }
}

/** The last line of a block may end with a carriage return. */
function endFrom(block: Buffer, at: number): number {
  const end = block.indexOf(newline, at);
  return end < 0 ? block.length - 1 : end;
}

export function countNewlines(block: Buffer): number {
  let count = 0;
  for (let index = 0; index < block.length; index += 1) if (block[index] === newline) count += 1;
  return count;
}
