/** Pieces of a long key: whoever wraps a text into columns, or cuts it at a width, leaves no form of it whole. Pure, all in latin1 bytes. */
import type { FoundForm } from './find-forms.ts';
import { type Form, isPlain, joinLabels } from './secret-forms.ts';
import { isAddress } from './secret-parts.ts';

export interface Key {
  readonly text: string;
  readonly name: string;
  readonly label: string;
  /** How many of the characters before a place belong to no word. */
  readonly random: Uint32Array;
}

export interface PlaceInKey {
  readonly key: Key;
  readonly from: number;
}

/** A stretch of a text that equals a stretch of a key, from there on. */
export interface Piece extends PlaceInKey {
  readonly start: number;
  readonly length: number;
}

const shortestKey = 24;
const leastRandom = 12;
/** So many characters, words not counted, are nobody else's. */
const shortestPiece = 8;
const shortestRemainder = 4;
/** Margins, and columns of other text. */
const widestGap = 400;

/** Those texts of a secret that are one key, and not made of others that are; and their base64, wherever it begins. */
export function keysOf(name: string, forms: readonly Form[]): readonly Key[] {
  const plain = forms.filter(([text, label]) => isPlain([text, label.replace(/(?:^|\.)line\d+$/, '')]));
  const keys = plain.filter(
    ([text]) =>
      text.length >= shortestKey &&
      !/\s/.test(text) &&
      !isAddress(text) &&
      !plain.some(([part]) => part !== text && text.includes(part)) &&
      (randomBefore(text)[text.length] as number) >= leastRandom,
  );
  const labels = new Set(
    keys
      .filter(isPlain)
      .flatMap(([, label]) => [0, 1, 2].map((offset) => joinLabels(label, `base64+${offset}`))),
  );
  return [...keys, ...forms.filter(([, label]) => labels.has(label))].map(([text, label]) => ({
    text,
    name,
    label,
    random: randomBefore(text),
  }));
}

/** `orders`, `AccountName`, `api03`, `2026`: with the signs before it, anybody may say that. */
const word = /(?:^|[^A-Za-z0-9]+)(?:(?=\w{4})(?:[A-Z]?[a-z]{2,})+\d{0,4}|[A-Z]{4,}|\d+)(?![A-Za-z0-9])/g;

function randomBefore(text: string): Uint32Array {
  const masked = text.replaceAll(word, (found) => ' '.repeat(found.length));
  const counts = new Uint32Array(text.length + 1);
  for (let at = 0; at < text.length; at += 1)
    counts[at + 1] = (counts[at] as number) + (masked.charAt(at) === ' ' ? 0 : 1);
  return counts;
}

/** Around a place where the text and the keys have something in common. */
export function longestPiece(places: readonly PlaceInKey[], text: string, place: number): Piece {
  return places
    .map(({ key, from }) => pieceAround(key, from, text, place))
    .reduce((most, piece) => (piece.length > most.length ? piece : most));
}

function pieceAround(key: Key, from: number, text: string, place: number): Piece {
  let before = 0;
  while (before < from && key.text.charCodeAt(from - before - 1) === text.charCodeAt(place - before - 1))
    before += 1;
  let after = 0;
  while (
    from + after < key.text.length &&
    key.text.charCodeAt(from + after) === text.charCodeAt(place + after)
  )
    after += 1;
  return { key, start: place - before, from: from - before, length: before + after };
}

/** Where letters go on, it is something else that begins like the key, as all tokens of one issuer do. */
export function isTelling(piece: Piece, text: string): boolean {
  const { key, from, length } = piece;
  const random = (key.random[from + length] as number) - (key.random[from] as number);
  return random >= shortestPiece && endsThere(piece, text);
}

function endsThere({ key, start, from, length }: Piece, text: string): boolean {
  return from + length === key.text.length || !isAlphanumeric(text.charAt(start + length));
}

/** What the pieces hide, with the few characters that are left of the key on the line before or after. */
export function hidden(pieces: readonly Piece[], text: string): readonly FoundForm[] {
  return pieces.flatMap((piece) => {
    const chain = [remainderBefore(piece, text), piece, remainderAfter(piece, text)].filter(
      (part) => part !== undefined,
    );
    const last = chain.at(-1) as Piece;
    return chain.map((part) => foundPiece(part, last.start + last.length));
  });
}

function remainderAfter({ key, start, from, length }: Piece, text: string): Piece | undefined {
  const next = key.text.slice(from + length, from + length + shortestRemainder);
  const end = start + length;
  const gap = text.slice(end, end + widestGap).indexOf(next);
  if (next.length < shortestRemainder || gap < 0 || !lineBreak.test(text.slice(end, end + gap))) return;
  const rest = pieceAround(key, from + length, text, end + gap);
  return endsThere(rest, text) ? rest : undefined;
}

function remainderBefore({ key, start, from }: Piece, text: string): Piece | undefined {
  const last = key.text.slice(Math.max(0, from - shortestRemainder), from);
  const begin = Math.max(0, start - widestGap);
  const place = begin + text.slice(begin, start).lastIndexOf(last);
  if (last.length < shortestRemainder || place < begin) return;
  const gap = text.slice(place + last.length, start);
  if (isAlphanumeric(gap.charAt(0)) || !lineBreak.test(gap)) return;
  return pieceAround(key, from - last.length, text, place);
}

/** As it is, or escaped. */
const lineBreak = /\n|\\n/;

function foundPiece({ key, start, from, length }: Piece, until: number): FoundForm {
  const part = from === 0 ? `first${length}` : `part${from}-${from + length}`;
  const label = joinLabels(key.label, part);
  return { start, end: start + length, until, name: key.name, label, isBroken: true };
}

function isAlphanumeric(char: string): boolean {
  return /^[A-Za-z0-9]$/.test(char);
}
