/** The codec `newline-json`: one JSON value per line. */
import { BrokenRule } from './codec.ts';
import { type Cutter, createFrameCodec } from './frame-codec.ts';
import { decodeJson, encodeJson } from './json-text.ts';

const lineFeed = 0x0a;

export const newlineJson = createFrameCodec({
  name: 'newline-json',
  encode: (message) => Buffer.concat([encodeJson(message), Uint8Array.of(lineFeed)]),
  createCutter: createLineCutter,
});

/** Blank lines, which some peers send to keep a connection alive, carry no message. */
function createLineCutter(maxFrameBytes: number): Cutter {
  let searched = 0;
  return (queue) => {
    for (;;) {
      const end = queue.indexOf(lineFeed, searched);
      if ((end === -1 ? queue.length : end) > maxFrameBytes) {
        throw new BrokenRule('frame-too-large', `a line of more than ${maxFrameBytes} bytes`);
      }
      searched = end === -1 ? queue.length : 0;
      if (end === -1) return undefined;
      const line = queue.take(end + 1).subarray(0, end);
      if (!isBlank(line)) return { message: decodeJson(line) };
    }
  };
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
