/** Pieces of a key: text wrapped into columns, or cut at a width, leaves no form whole. Pure, in latin1 bytes. */
import { markOf } from './escape-layers.ts';
import type { FoundForm } from './find-forms.ts';
import { isPlain, joinLabels } from './secret-forms.ts';
import {
  blank,
  inside,
  isLetter,
  type Key,
  line,
  looksRandom,
  type NamedForm,
  shortestPiece,
} from './secret-keys.ts';
import { passwordPlace } from './secret-parts.ts';

/** A stretch of a text that equals a stretch of a form, from there on. */
interface Stretch<Of extends NamedForm> {
  readonly key: Of;
  readonly from: number;
  readonly start: number;
  readonly length: number;
}

export type Piece = Stretch<Key>;
export type PlaceInKey = Pick<Piece, 'key' | 'from'>;

/** Next to a word and a separator, less may be public: the number of an account, as in `acct_1032D82eZvKYlo2C`. */
const shortestJoined = 18;
const shortestRemainder = 4;
/** Margins, and columns of other text. */
const widestGap = 400;
const mostLines = 16;
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
  const rest = from + length + (key.text[from + length] === ' ' ? 1 : 0);
  const next = key.text.slice(rest, rest + shortestRemainder);
  const end = start + length;
  const behind = text.slice(end, end + widestGap);
  const lineEnd = behind.search(lineBreak);
  const gap = lineEnd < 0 || next === '' ? -1 : behind.indexOf(next, lineEnd + 1);
  if (gap < 0) return undefined;
  const found = stretchAround(key, rest, text, end + gap, end + gap);
  return beginsThere(found, text) ? found : undefined;
}

function remainderBefore({ key, start, from }: Piece, text: string): Piece | undefined {
  const until = from - (key.text[from - 1] === ' ' ? 1 : 0);
  const last = key.text.slice(Math.max(0, until - shortestRemainder), until);
  const begin = Math.max(0, start - widestGap);
  const place = begin + text.slice(begin, start).lastIndexOf(last);
  if (last.length < shortestRemainder || place < begin) return undefined;
  const gap = text.slice(place + last.length, start);
  if (/^[A-Za-z0-9]/.test(gap) || !lineBreak.test(gap)) return undefined;
  const rest = stretchAround(key, until - last.length, text, place);
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
