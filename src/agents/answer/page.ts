/** Cuts a long answer into pages of bounded size, with a cursor that fits only the answer that it came from. */
import { createHash } from 'node:crypto';
import { cutText } from '../../kernel/cut-text.ts';
import { badUsage } from '../../kernel/problem.ts';

export interface Piece {
  readonly text: string;
  /** The same for programs. */
  readonly data?: unknown;
}

export interface Page {
  readonly shown: readonly Piece[];
  /** Absent at the end. */
  readonly cursor?: string;
}

const pageBytes = 12 * 1024;
const pieceChars = 2_000;

/** Its lines, those that are very long in several pieces. */
export function piecesOf(text: string): readonly Piece[] {
  const cut = new RegExp(`[\\s\\S]{1,${pieceChars}}`, 'gu');
  return text.split(/(?<=\n)/).flatMap((line) => (line.match(cut) ?? []).map((part) => ({ text: part })));
}

export function pageOf(pieces: readonly Piece[], cursor?: string): Page {
  const from = cursor === undefined ? 0 : placeOf(cursor, pieces);
  let bytes = 0;
  let to = from;
  for (; to < pieces.length; to += 1) {
    bytes += Buffer.byteLength(pieces[to]?.text ?? '');
    if (bytes > pageBytes && to > from) break;
  }
  const shown = pieces.slice(from, to);
  return to === pieces.length ? { shown } : { shown, cursor: `${to}.${digestOf(pieces.slice(0, to))}` };
}

function placeOf(cursor: string, pieces: readonly Piece[]): number {
  const [, index, digest] = /^(\d{1,9})\.([0-9a-f]{8})$/.exec(cursor) ?? [];
  const place = Number(index);
  if (place <= pieces.length && digestOf(pieces.slice(0, place)) === digest) return place;
  throw badUsage(
    `cursor ${JSON.stringify(cutText(cursor, 40))}`,
    'it is not from this answer, or what the answer was made of has changed since',
    'the cursor of the page before, with the same arguments',
    'ask again without a cursor; name the run by its id, because `latest` changes',
  );
}

function digestOf(pieces: readonly Piece[]): string {
  const hash = createHash('sha256');
  for (const { text } of pieces) hash.update(text);
  return hash.digest('hex').slice(0, 8);
}
