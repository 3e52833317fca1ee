/** Generators of turns, requests and cuts for the shapes of answers, and how they are folded in a test. */
import { isDeepStrictEqual } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createRandom, type Random } from '../../src/kernel/random.ts';
import { dialects } from '../../src/protocols/dialects/dialect-table.ts';
import type { Asked } from '../../src/protocols/shapes/asked.ts';
import type { WireAnswer } from '../../src/protocols/shapes/shape.ts';
import { foldAnswer } from '../../src/protocols/shapes/wire-answer.ts';
import type { PrintAbout } from '../../src/protocols/turn/dialect.ts';
import type { DialectName, FoldedTurn, Turn } from '../../src/protocols/turn/turn.ts';
import { askedForAll } from './asked-for-all.ts';
import { drawTurn } from './generate-turn.ts';

export interface DrawnCase {
  readonly dialect: DialectName;
  readonly turn: Turn;
  readonly about: PrintAbout;
  readonly streamed: boolean;
  readonly asked: Asked;
  readonly random: Random;
}

export interface CaseSize {
  readonly mostCalls?: number;
  readonly mostPieces?: number;
  readonly pieceChars?: number;
}

export function drawCase(dialect: DialectName, seed: number, size: CaseSize = {}): DrawnCase {
  const random = createRandom(`${dialect}/${seed}`);
  return {
    dialect,
    turn: drawTurn(random.fork('turn'), { dialect, ...size }),
    about: {
      id: 'chatcmpl-1',
      model: 'some-model',
      createdAt: 1_700_000_000,
      wantsUsage: random.next() < 0.7,
      pieceChars: size.pieceChars ?? random.integer(1, 12),
    },
    streamed: random.next() < 0.85,
    asked: askedForAll,
    random: random.fork('shape'),
  };
}

export const decode = (encoding: string, bytes: Uint8Array): Uint8Array =>
  encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes);

/** The same bytes in other pieces. */
export function cutAnswer(answer: WireAnswer, places: readonly number[]): WireAnswer {
  const bytes = Buffer.concat(answer.pieces.map((piece) => piece.bytes));
  const bounds = [0, ...places.toSorted((a, b) => a - b), bytes.length];
  const pieces = bounds.slice(1).map((end, at) => ({ bytes: bytes.subarray(bounds[at], end) }));
  return { ...answer, pieces };
}

export function sizeOf(answer: WireAnswer): number {
  return answer.pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Folds the pieces of the answer and generated pieces, which must give the same result. */
export function foldTwice({ dialect, streamed, random }: DrawnCase, answer: WireAnswer): FoldedTurn {
  const folded = foldAnswer(dialects[dialect], answer, { streamAsked: streamed, decode });
  const size = sizeOf(answer);
  const places = Array.from({ length: random.integer(1, 8) }, () => random.integer(0, size));
  const other = foldAnswer(dialects[dialect], cutAnswer(answer, places), { streamAsked: streamed, decode });
  if (!isDeepStrictEqual(other, folded)) throw new Error(`cut at ${places}, it is ${JSON.stringify(other)}`);
  return folded;
}
