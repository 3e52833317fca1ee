/** Base64 around a stretch that it has in common with base64 of a key: what it spells may be the key, with escapes in it. Pure. */
import type { Decoded } from './number-lists.ts';
import type { Piece } from './secret-pieces.ts';

export interface EncodedRun extends Decoded {
  /** Where it ends in the text. */
  readonly end: number;
}

const shortestStretch = 8;
/** The characters before those that depend on the key alone, by the bytes before it. */
const leads = [0, 2, 3];

/** Undefined where the stretch is not of base64, or too short to be more than chance. */
export function runAround({ key, from, start, length }: Piece, text: string): EncodedRun | undefined {
  const [, offset] = /(?:^|\.)base64\+(\d)$/.exec(key.label) ?? [];
  if (offset === undefined || length < shortestStretch) return undefined;
  let first = start;
  while (isEncoded(text.charCodeAt(first - 1))) first -= 1;
  let end = start + length;
  while (isEncoded(text.charCodeAt(end))) end += 1;
  const phase = start - from - (leads[Number(offset)] as number) - first;
  const begin = first + (((phase % 4) + 4) % 4);
  const source = text.slice(begin, end);
  const name = /[-_]/.test(source) ? 'base64url' : 'base64';
  return {
    bytes: Buffer.from(source, 'base64').toString('latin1'),
    isLast: end === text.length,
    end,
    // Without characters that are shared with its neighbours.
    before: (from, to) => [begin + Math.ceil((from * 4) / 3), begin + Math.floor((to * 4) / 3)],
    nameOf: (from) => `${name}+${from % 3}`,
  };
}

function isEncoded(code: number): boolean {
  return /[\w+/-]/.test(String.fromCharCode(code));
}
