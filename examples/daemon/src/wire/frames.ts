/** Frames on the wire: six hexadecimal digits, the number of characters that follow, and one s-expression. */
import { NotSexp, type Printable, printSexp, readSexp, type Value } from './sexp.ts';

const headerBytes = 6;
const mostCharacters = 65_536;

/** How long a payload is. A character is a code point, whatever number of bytes it takes. */
export interface Measure {
  count(text: string): number;
  /** Where the character that begins at `at` ends; undefined while it is incomplete. */
  characterEnd(bytes: Buffer, at: number): number | undefined;
}

export const inCharacters: Measure = {
  count: (text) => {
    let count = 0;
    for (const _ of text) count += 1;
    return count;
  },
  characterEnd,
};

export type FrameRule = 'not-hex' | 'too-large' | 'not-utf8' | 'not-sexp' | 'truncated' | 'stalled';

export class BadFrame extends Error {
  readonly rule: FrameRule;

  constructor(rule: FrameRule, detail: string) {
    super(detail);
    this.rule = rule;
  }
}

export function frame(message: Printable, measure: Measure): Buffer {
  const text = printSexp(message);
  return Buffer.from(measure.count(text).toString(16).toUpperCase().padStart(headerBytes, '0') + text);
}

export interface FrameReader {
  /** Yields the messages that are complete now; throws BadFrame at the first that is invalid. */
  push(bytes: Buffer): Generator<Value>;
  /** Nothing more comes. */
  end(): void;
  /** A frame has begun and is not complete. */
  readonly halfway: boolean;
}

/** Reads every byte once, however small the pieces in which they arrive. */
export function createFrameReader(measure: Measure): FrameReader {
  let held = Buffer.alloc(0);
  let walked = headerBytes;
  let missing: number | undefined;

  const cut = (): Buffer | undefined => {
    missing ??= readLength(held);
    if (missing === undefined) return undefined;
    for (; missing > 0; missing -= 1) {
      const end = measure.characterEnd(held, walked);
      if (end === undefined) return undefined;
      walked = end;
    }
    const payload = held.subarray(headerBytes, walked);
    held = held.subarray(walked);
    walked = headerBytes;
    missing = undefined;
    return payload;
  };

  return {
    *push(bytes) {
      held = Buffer.concat([held, bytes]);
      for (let payload = cut(); payload; payload = cut()) yield decode(payload);
    },
    end() {
      if (held.length === 0) return;
      const promised = missing === undefined ? 'its length' : `${missing} characters`;
      throw new BadFrame('truncated', `the end came before ${promised}`);
    },
    get halfway() {
      return held.length > 0;
    },
  };
}

function readLength(held: Buffer): number | undefined {
  const digits = held.subarray(0, headerBytes).toString('latin1');
  if (!/^[0-9a-f]*$/i.test(digits)) {
    throw new BadFrame('not-hex', `the length ${JSON.stringify(digits)} is not hexadecimal`);
  }
  if (digits.length < headerBytes) return undefined;
  const length = Number.parseInt(digits, 16);
  if (length > mostCharacters) {
    throw new BadFrame('too-large', `${length} characters, where ${mostCharacters} are taken`);
  }
  return length;
}

function decode(payload: Buffer): Value {
  try {
    return readSexp(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload));
  } catch (error) {
    if (error instanceof NotSexp) throw new BadFrame('not-sexp', error.message);
    throw new BadFrame('not-utf8', 'the payload is not UTF-8');
  }
}

function characterEnd(bytes: Buffer, at: number): number | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  const size =
    first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (size === 0) throw new BadFrame('not-utf8', `no character begins with the byte ${first.toString(16)}`);
  const rest = bytes.subarray(at + 1, at + size);
  if (rest.some((byte) => byte < 0x80 || byte > 0xbf)) {
    throw new BadFrame('not-utf8', `a character is cut by the next after the byte ${first.toString(16)}`);
  }
  return rest.length === size - 1 ? at + size : undefined;
}
