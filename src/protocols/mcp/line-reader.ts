/** Lines of a server that speaks on its standard output: cut anywhere, ended by LF or CRLF, and none of them without a limit. */
import { utf8Text } from '../../kernel/utf8-text.ts';
import { createByteQueue } from '../codecs/byte-queue.ts';

export interface LineReader {
  /** The lines that these bytes complete, without their ends and without blank ones. */
  push(bytes: Uint8Array): ReadLines;
  /** Bytes of a line that has begun and has no end yet. */
  readonly unfinishedBytes: number;
}

export interface ReadLines {
  readonly lines: readonly string[];
  /** A line has no end within the limit. Nothing is read after it. */
  readonly isTooLarge: boolean;
}

const lineFeed = 0x0a;

/** Bytes that are not UTF-8 are marked; whether the line is JSON then is decided elsewhere. */
export function createLineReader(mostBytes: number): LineReader {
  const queue = createByteQueue();
  let searched = 0;
  let isTooLarge = false;
  return {
    push: (bytes) => {
      const lines: string[] = [];
      if (isTooLarge) return { lines, isTooLarge };
      queue.append(bytes);
      for (;;) {
        const end = queue.indexOf(lineFeed, searched);
        isTooLarge = (end === -1 ? queue.length : end) > mostBytes;
        searched = end === -1 ? queue.length : 0;
        if (end === -1 || isTooLarge) return { lines, isTooLarge };
        const line = utf8Text(Buffer.from(queue.take(end + 1).subarray(0, end)));
        if (line.trim() !== '') lines.push(line.replace(/\r$/, ''));
      }
    },
    get unfinishedBytes() {
      return queue.length;
    },
  };
}
