/** Pieces of a key: text wrapped into columns, or cut at a width, leaves no form whole. Pure, in latin1 bytes. */
import { markOf } from './escape-layers.ts';
import type { FoundForm } from './find-forms.ts';
import { coresOf, digitsOf, type Form, isPlain, joinLabels } from './secret-forms.ts';
import { isAddress, passwordPlace } from './secret-parts.ts';

interface NamedForm {
  readonly text: string;
  readonly name: string;
  readonly label: string;
}

export interface Key extends NamedForm {
  /** Blanks for common text. */
  readonly masked: string;
}

/** A stretch of a text that equals a stretch of a form, from there on. */
interface Stretch<Of extends NamedForm> {
  readonly key: Of;
  readonly from: number;
  readonly start: number;
  readonly length: number;
}

export type Piece = Stretch<Key>;
export type PlaceInKey = Pick<Piece, 'key' | 'from'>;

/** This many characters, not counting words, are unlikely to be anything else, if this many of them are different. */
export const shortestPiece = 12;
/** Next to a word and a separator, less may be public: the number of an account, as in `acct_1032D82eZvKYlo2C`. */
const shortestJoined = 18;
export const fewestSigns = 6;
const shortestRemainder = 4;
/** Margins, and columns of other text. */
const widestGap = 400;
const mostLines = 16;
/** A word that occurs more often in a key does not identify its place. */
const mostPlaces = 2;

/** Those texts of a secret that are one key, and not made of others that are; and their base64, wherever it begins, and digits. */
export function keysOf(name: string, forms: readonly Form[]): readonly Key[] {
  const plain = forms.filter(([text, label]) => isPlain([text, label.replace(line, '')]));
  const keys = plain.filter(
    ([text]) =>
      !/\s/.test(text) &&
      !setting.test(text) &&
      (isAddress(text) || !plain.some(([part]) => part !== text && text.includes(part))) &&
      looksRandom(maskedIn(text)),
  );
  const encoded = keys.filter((form) => isPlain(form) && !isAddress(form[0])).flatMap(encodedKeys);
  return [...keys.map(keyOf), ...encoded].map((key) => ({ ...key, name }));
}

function keyOf([text, label]: Form): Omit<Key, 'name'> {
  return { text, label, masked: maskedIn(text) };
}

/** Also where one of them has another name as a whole, as base64 that needs no padding has. */
function encodedKeys([key, label]: Form): readonly Omit<Key, 'name'>[] {
  const masked = maskedIn(key).replaceAll(/./gs, '$&$&');
  return [
    ...coresOf(key).map(([text, form]) => keyOf([text, joinLabels(label, form)])),
    ...digitsOf(key).map(([text, form]) => ({ text, label: joinLabels(label, form), masked })),
  ];
}

const line = /(?:^|\.)line\d+$/;
/** Without what depends on its surroundings, which may be joined to it. */
const inside = /(?:base64\+\d|hex|hex-upper)$/;
const hex = /(?:^|\.)hex(?:-upper)?$/;
/** Of which the value is a text of its own, where it is a secret. */
const setting = /^[\w.-]+[:=]+[^:=]/;

/** `orders`, `AccountName`, `api03`, `2026`: with the separators before it, that is common text. */
const word =
  /(?:^|[^A-Za-z0-9]+)(?:(?=\w{4})[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{2,})*\d{0,4}|[A-Z]{4,}|\d+)(?![A-Za-z0-9])/g;
/** All of one machine, or of one minute, have most of it in common. */
const uuid = /(?<![0-9a-z])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-z])/gi;
const headOfJwt = /(?<![\w-])eyJ[\w-]*\./g;
const headOfPem = /^MII[A-Za-z0-9+/]{0,47}/g;

function maskedIn(text: string): string {
  if (isAddress(text)) {
    const [start, end] = passwordPlace(text) ?? [0, 0];
    return text.slice(start, end).padStart(end).padEnd(text.length);
  }
  const masked = [uuid, headOfJwt, headOfPem, word].reduce(
    (left, known) => left.replaceAll(known, (found) => ' '.repeat(found.length)),
    text,
  );
  return [1, 2].reduce((left, distance) => withoutSequences(left, text, distance), masked);
}

/** `1234`, `AAAA`, `a1b2c3`: as in examples, and in zeros. */
function withoutSequences(masked: string, text: string, distance: number): string {
  const chars = [...masked];
  let begin = 0;
  for (let at = distance; at < text.length; at += 1) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - distance);
    const last = text.charCodeAt(at - 1) - text.charCodeAt(at - 1 - distance);
    if (Math.abs(step) > 1) begin = at - distance + 1;
    else if (step !== last) begin = Math.max(begin, at - distance);
    if (at - begin >= distance + 2) chars.fill(' ', at - distance - 2, at + 1);
  }
  return chars.join('');
}

function looksRandom(masked: string, least = shortestPiece): boolean {
  const signs = new Set<number>();
  let count = 0;
  for (let at = 0; at < masked.length; at += 1) {
    if (masked.charCodeAt(at) === blank) continue;
    count += 1;
    signs.add(masked.charCodeAt(at));
    if (count >= least && signs.size >= fewestSigns && Math.max(...signs) >= firstLetter) return true;
  }
  return false;
}

const blank = 32;
const firstLetter = 65;

/** The words of four characters by which a place in the key is known. */
export function telltaleWords({ text, label, masked }: Key): ReadonlyMap<number, readonly number[]> {
  const bytes = Buffer.from(text, 'latin1');
  const isHex = hex.test(label);
  const words = new Map<number, number[]>();
  for (let from = 0; from + 4 <= bytes.length; from += 1) {
    // Logs are full of digits, and of two words in a row one is enough.
    if (isHex && from % 8 >= 4) continue;
    const places = words.get(bytes.readInt32LE(from)) ?? [];
    words.set(bytes.readInt32LE(from), places);
    places.push(from);
  }
  for (const [word, places] of words)
    if (places.length > mostPlaces || places.every((from) => masked.slice(from, from + 4).trim() === ''))
      words.delete(word);
  return words;
}

/**
 * Around a place where the text and keys have something in common, and not before what was looked at already for the same key:
 * the longest that gives its key away, or else the longest. Signs may be other ones inside it: labels, file names and the other
 * alphabet of base64 have `_` for `/` or `-`.
 */
export function longestPiece(
  places: readonly PlaceInKey[],
  text: string,
  place: number,
  looked: Map<Key, number>,
  least: number,
): Piece | undefined {
  let most: Piece | undefined;
  let isTelling = false;
  for (const { key, from } of places) {
    const before = looked.get(key) ?? 0;
    if (place < before) continue;
    const longest = withinSigns(stretchAround(key, from, text, place, before, isSameOrSign), text);
    const piece = betweenSigns(longest, text, least) ?? longest;
    // A few characters in common by chance may overlap with the beginning of a piece.
    if (piece.length >= least) looked.set(key, piece.start + piece.length);
    const tells = isReporting(piece, text, least);
    if (most && (tells === isTelling ? piece.length <= most.length : isTelling)) continue;
    most = piece;
    isTelling = tells;
  }
  return most;
}

/** Without signs at its ends that are others, or that join it to something else: those are not of the key, but where base64 of it begins. */
function withinSigns(piece: Piece, text: string): Piece {
  const { key, from, start, length } = piece;
  if (length === key.text.length) return piece;
  const isOutside = (at: number, beyond: number): boolean =>
    key.text[from + at] !== text[start + at] ||
    (isSign(text.charCodeAt(start + at)) && isLetter(text.charCodeAt(start + beyond)));
  let end = length;
  while (end > 0 && isOutside(end - 1, end)) end -= 1;
  const isBeginning = from === 0 && inside.test(key.label) && key.text[0] === text[start];
  let first = 0;
  while (!isBeginning && first < end && isOutside(first, first - 1)) first += 1;
  return { key, from: from + first, start: start + first, length: end - first };
}

/** What is joined at an end may continue the key by chance, up to its next sign: the `e` of `cache-…`, where the key has `live-…`. */
function betweenSigns(piece: Piece, text: string, least: number): Piece | undefined {
  const { key, from, start, length } = piece;
  if (length < least || isReporting(piece, text, least)) return undefined;
  const said = text.slice(start, start + length);
  const first = beginsThere(piece, text) ? 0 : said.search(sign) + 1;
  const last = endsThere(piece, text) ? -1 : said.search(lastSign);
  const end = last < 0 ? length : last;
  const between = { key, from: from + first, start: start + first, length: end - first };
  return isReporting(between, text, least) ? between : undefined;
}

const sign = /[^A-Za-z0-9]/;
const lastSign = /[^A-Za-z0-9][A-Za-z0-9]*$/;

function isSame(one: number, other: number): boolean {
  return one === other;
}

function isSameOrSign(one: number, other: number): boolean {
  return one === other || (isSign(one) && isSign(other));
}

function isSign(code: number): boolean {
  return code > blank && code < 127 && !isLetter(code);
}

/** Or a digit. */
function isLetter(code: number): boolean {
  return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122);
}

function stretchAround<Of extends NamedForm>(
  key: Of,
  from: number,
  text: string,
  place: number,
  least = 0,
  areEqual: (one: number, other: number) => boolean = isSame,
): Stretch<Of> {
  let before = 0;
  const most = Math.min(from, place - least);
  while (
    before < most &&
    areEqual(key.text.charCodeAt(from - before - 1), text.charCodeAt(place - before - 1))
  )
    before += 1;
  let after = 0;
  while (
    from + after < key.text.length &&
    areEqual(key.text.charCodeAt(from + after), text.charCodeAt(place + after))
  )
    after += 1;
  return { key, start: place - before, from: from - before, length: before + after };
}

/** Where letters go on, it is something else that has a stretch in common with the key, as all tokens of one issuer do. */
export function isReporting(piece: Piece, text: string, least: number): boolean {
  const { key, from, start, length } = piece;
  // As it is, all of it is a form, and found as such.
  if (length === key.text.length) return !text.startsWith(key.text, start);
  return (
    length >= least &&
    beginsThere(piece, text) &&
    endsThere(piece, text) &&
    looksRandom(key.masked.slice(from, from + length), least)
  );
}

/** Of a PEM, a public key has stretches in common with the private one, but not in whole lines. */
function beginsThere({ key, start, from, length }: Stretch<NamedForm>, text: string): boolean {
  const before = text.slice(Math.max(0, start - widestWord), start);
  const [, joined, word] = /(?:([A-Za-z0-9]+)|(?<![A-Za-z0-9])([A-Za-z0-9]*)[+/_-]+)$/.exec(before) ?? [];
  return (from === 0 && !line.test(key.label)) || isBeside(length, joined, word) || escaped.test(before);
}

/** The last character of base64 depends on what follows. */
function endsThere({ key, start, from, length }: Stretch<NamedForm>, text: string): boolean {
  const end = start + length;
  const isCore = from + length === key.text.length && inside.test(key.label);
  const behind = text.slice(end, end + widestWord);
  const [, joined, word] = /^(?:([A-Za-z0-9]+)|[+/_-]+([A-Za-z0-9]*))/.exec(behind) ?? [];
  return isCore || isBeside(length, joined, word);
}

/** What is joined by a sign may be an alphabet that has the sign, unless it is a word, or nothing. */
function isBeside(length: number, joined = '', word = ''): boolean {
  return joined === '' && (word === '' || (length >= shortestJoined && ordinary.test(word)));
}

const widestWord = 24;
const ordinary = /^(?:(?:[A-Z]?[a-z]{2,})+|[A-Z]{3,}|[A-Za-z]|(?=\d))\d{0,4}$/;

/** A line end or a colour, as it is or escaped, ends with a letter. */
const escaped = /(?:\\[nrt]|%[0-9a-f]{2}|\\u[0-9a-f]{4}|(?:\x1b|\\u001b|\\x1b)\[[\d;]*m)$/i;

/** What the piece hides, with the few characters that are left of the key on the line before or after. */
export function hidden(piece: Piece, text: string): readonly FoundForm[] {
  const after = remainderAfter(piece, text);
  const isRest = after && after.length >= shortestRemainder && endsThere(after, text);
  const parts = [remainderBefore(piece, text), piece, isRest ? after : undefined];
  const signs = otherSigns(piece, text);
  return inChain(parts.filter((part) => part !== undefined)).map((found) =>
    found.start === piece.start ? { ...found, label: joinLabels(found.label, signs) } : found,
  );
}

/** Which sign is written in place of the first, the second and so on; nothing of where they are. */
function otherSigns({ key, from, start, length }: Piece, text: string): string {
  const signs = Array.from({ length }, (_, at) => at)
    .filter((at) => isSign(key.text.charCodeAt(from + at)))
    .map((at) => (key.text[from + at] === text[start + at] ? '' : text[start + at]));
  return signs.every((sign) => sign === '') ? '' : `signs~${markOf(signs.join())}`;
}

/** How much of a form is too much of it: half, since less may be what others begin with, too. The host of an address is not, and a part of its password is. */
export function leastOf(form: string): number {
  const half = Math.max(shortestPiece, Math.ceil(form.length / 2));
  const host = /^[a-z][a-z0-9+.-]*:\/\/[^/@]*\/?/i.exec(form)?.[0].length ?? 0;
  const zeros = /^(.)\1*/s.exec(form)?.[0].length ?? 0;
  return Math.min(Math.max(half, host + 1, zeros + 1), (passwordPlace(form)?.[0] ?? form.length) + 2);
}

/** The text breaks off in the middle of a form, or at the end of a line and continues it on the next ones. */
export function brokenAt(
  form: NamedForm & { readonly least: number; readonly isVaried: boolean },
  text: string,
  start: number,
): readonly FoundForm[] {
  const first = stretchAround<NamedForm>(form, 0, text, start, start);
  const mayGoOn = first.length >= shortestRemainder && form.isVaried && isPlain([form.text, form.label]);
  if (first.length < form.least && !mayGoOn) return [];
  if (!beginsThere(first, text) || !endsThere(first, text)) return [];
  const chain = mayGoOn ? wrappedFrom(first, text) : [first];
  const { from, length } = chain.at(-1) as Stretch<NamedForm>;
  const isWrapped =
    from + length === form.text.length || (passwordPlace(form.text) && from + length >= form.least);
  if (isWrapped) return inChain(chain);
  return first.length < form.least ? [] : inChain([first]);
}

/** Each part continues the form, at the start of a line, or in the column where the first line has the same prefix. */
function wrappedFrom(first: Stretch<NamedForm>, text: string): readonly Stretch<NamedForm>[] {
  const chain = [first];
  const before = text.slice(Math.max(0, first.start - widestGap), first.start);
  const column = before.slice(before.lastIndexOf('\n') + 1);
  let last = first;
  for (let next = remainderAfter(first, text); next; next = remainderAfter(last, text)) {
    const gap = text.slice(last.start + last.length, next.start);
    const [, margin] = /^[^\n]*?(?:\n|\\n)([^\n]*)$/.exec(gap) ?? [];
    const isBeside = margin !== undefined && (!/[A-Za-z0-9]/.test(margin) || column.startsWith(margin));
    if (!isBeside || !endsThere(next, text) || chain.length === mostLines) break;
    chain.push(next);
    last = next;
  }
  return chain;
}

function remainderAfter<Of extends NamedForm>(
  { key, start, from, length }: Stretch<Of>,
  text: string,
): Stretch<Of> | undefined {
  const next = key.text.slice(from + length, from + length + shortestRemainder);
  const end = start + length;
  const behind = text.slice(end, end + widestGap);
  const lineEnd = behind.search(lineBreak);
  const gap = lineEnd < 0 || next === '' ? -1 : behind.indexOf(next, lineEnd + 1);
  if (gap < 0) return undefined;
  const rest = stretchAround(key, from + length, text, end + gap, end + gap);
  return beginsThere(rest, text) ? rest : undefined;
}

function remainderBefore({ key, start, from }: Piece, text: string): Piece | undefined {
  const last = key.text.slice(Math.max(0, from - shortestRemainder), from);
  const begin = Math.max(0, start - widestGap);
  const place = begin + text.slice(begin, start).lastIndexOf(last);
  if (last.length < shortestRemainder || place < begin) return undefined;
  const gap = text.slice(place + last.length, start);
  if (/^[A-Za-z0-9]/.test(gap) || !lineBreak.test(gap)) return undefined;
  const rest = stretchAround(key, from - last.length, text, place);
  return beginsThere(rest, text) ? rest : undefined;
}

/** As it is, or escaped. */
const lineBreak = /\n|\\n/;

function inChain(parts: readonly Stretch<NamedForm>[]): readonly FoundForm[] {
  const last = parts.at(-1);
  const until = last ? last.start + last.length : 0;
  return parts.map(({ key, start, from, length }) => ({
    start,
    end: start + length,
    until,
    name: key.name,
    label: joinLabels(key.label, partOf(key, from, length)),
    isBroken: true,
  }));
}

function partOf({ text }: NamedForm, from: number, length: number): string {
  if (length === text.length) return '';
  return from === 0 ? `first${length}` : `part${from}-${from + length}`;
}
