/** Finds lines in bytes that end with the end of a line. Pure. */

export const newline = 0x0a;

export interface FoundLine {
  /** Counted within the block, from 1. */
  readonly number: number;
  readonly at: number;
  /** Where its end of line is. */
  readonly end: number;
}

export function* everyLine(block: Buffer): Generator<FoundLine> {
  let number = 0;
  for (let at = 0; at < block.length; ) {
    const end = block.indexOf(newline, at);
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
    const end = block.indexOf(newline, first);
    number += countNewlines(block.subarray(counted, at));
    counted = at;
    yield { number, at, end };
    for (const [index, needle] of needles.entries()) {
      const place = next[index] as number;
      if (place >= 0 && place < end) next[index] = block.indexOf(needle, end);
    }
  }
}

export function countNewlines(block: Buffer): number {
  let count = 0;
  for (let index = 0; index < block.length; index += 1) if (block[index] === newline) count += 1;
  return count;
}
