/** The codec `hex6-sexp`: six hexadecimal digits, the number of characters that follow, and one s-expression. */
import type { ByteQueue } from './byte-queue.ts';
import { BrokenRule } from './codec.ts';
import { type Cutter, createFrameCodec } from './frame-codec.ts';
import { parseSexp, printSexp } from './sexp.ts';
import { characterEnd, decodeUtf8, encodeUtf8 } from './utf8-text.ts';

const headerBytes = 6;
const mostCharacters = 0xffffff;

export const hex6Sexp = createFrameCodec({ name: 'hex6-sexp', encode, createCutter });

function encode(message: unknown): Uint8Array {
  const text = printSexp(message);
  let characters = 0;
  for (const _ of text) characters += 1;
  if (characters > mostCharacters) {
    throw new BrokenRule(
      'frame-too-large',
      `${characters} characters, where six digits can express ${mostCharacters}`,
    );
  }
  return encodeUtf8(characters.toString(16).toUpperCase().padStart(headerBytes, '0') + text);
}

/** The length counts characters, so the end of a frame is known only by walking over them, each byte once. */
function createCutter(maxFrameBytes: number): Cutter {
  let missing: number | undefined;
  let walked = headerBytes;
  return (queue) => {
    missing ??= readLength(queue, maxFrameBytes);
    if (missing === undefined) return undefined;
    for (; missing > 0; missing -= 1) {
      const end = characterEnd(queue, walked);
      if (end === undefined) return undefined;
      walked = end;
      if (walked - headerBytes > maxFrameBytes) throw tooLarge(walked - headerBytes, maxFrameBytes);
    }
    const payload = queue.take(walked).subarray(headerBytes);
    missing = undefined;
    walked = headerBytes;
    return { message: parseSexp(decodeUtf8(payload)) };
  };
}

/** Refuses the first byte that is not a digit, without waiting for the sixth. */
function readLength(queue: ByteQueue, maxFrameBytes: number): number | undefined {
  const digits = Buffer.from(queue.peek(headerBytes)).toString('latin1');
  if (!/^[0-9a-f]*$/i.test(digits)) {
    throw new BrokenRule('length-not-hex', `the length ${JSON.stringify(digits)} is not hexadecimal`);
  }
  if (digits.length < headerBytes) return undefined;
  const length = Number.parseInt(digits, 16);
  if (length > maxFrameBytes) throw tooLarge(length, maxFrameBytes);
  return length;
}

function tooLarge(size: number, maxFrameBytes: number): BrokenRule {
  return new BrokenRule(
    'frame-too-large',
    `a payload of ${size} or more, where ${maxFrameBytes} bytes are accepted`,
  );
}
