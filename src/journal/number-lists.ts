/** Finds lists of bytes that are written as numbers, in any layout: `[115, 107]`, `{0x73, 0xa}`, over lines and in columns. Pure. */
import { markOf } from './escape-layers.ts';
import { listSpellings, shortestForm } from './secret-forms.ts';

/** What a part of a text spells. */
export interface Decoded {
  /** As latin1, with dots where it is cut. */
  readonly bytes: string;
  /** No more follows in the text. */
  readonly isLast: boolean;
  /** Where a part of the bytes is in the text. */
  before(start: number, end: number): readonly [start: number, end: number];
  /** The name of the notation of the part. */
  nameOf(start: number, end: number): string;
}

/** This many bytes of a key are unlikely to be anything else: of one line, where a list is seen line by line. */
export const shortestInList = 6;
/** Where so many characters in a row can be of a list, there may be one. */
const windowChars = 8;
const widestStride = 64;
const strideInLine = 8;
const longText = 4096;
const widestMargin = 64;

/**
 * In their order. Looked for at places so far apart that a list of so many bytes has a whole window at one of them; `chars` is
 * the text again, for speed.
 */
export function numberLists(text: string, chars: Uint8Array, shortestBytes: number): readonly Decoded[] {
  const lists: Decoded[] = [];
  const stride = Math.min(
    3 * shortestBytes - windowChars,
    text.length < longText ? strideInLine : widestStride,
  );
  const fewest = Math.min(shortestBytes, shortestInList);
  const last = text.length - windowChars;
  let looked = 0;
  for (let at = 0; at <= last; at += stride) {
    if (kindOf(chars, at) * kindOf(chars, at + 1) * kindOf(chars, at + 2) * kindOf(chars, at + 3) === 0)
      continue;
    if (kindOf(chars, at + 4) * kindOf(chars, at + 5) * kindOf(chars, at + 6) === 0) continue;
    if (at < looked || !mayBeList(chars, at, text.length)) continue;
    const start = regionStart(chars, at, looked);
    looked = regionEnd(chars, at, text.length);
    if (countNumbers(chars, start, looked) >= fewest)
      for (const list of listsIn(text, chars, start, looked)) lists.push(list);
  }
  return lists;
}

const digit = 1;
const gap = 2;
const letter = 4;
const minus = 8;
const quote = 16;
const colon = 32;
const hexSign = 64;
/** Of a line end that is escaped. */
const lineEnd = 128;

const kinds = Uint8Array.from({ length: 256 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[0-9]/.test(char)) return digit;
  if (/[ \t\r\n,;\\]/.test(char)) return gap;
  if (/[a-f]/i.test(char)) return letter;
  if (/x/i.test(char)) return hexSign;
  if (char === '-') return minus;
  if (/["'[\]=>]/.test(char)) return quote;
  if (char === 'n') return lineEnd;
  return char === ':' ? colon : 0;
});

function kindOf(chars: Uint8Array, at: number): number {
  return kinds[chars[at] as number] as number;
}

/** Numbers and gaps, or a margin before them; no dates, times of day, UUIDs and long numbers, for these are in every log. */
function mayBeList(chars: Uint8Array, from: number, length: number): boolean {
  let seen = 0;
  let last = 0;
  let digits = 0;
  const end = Math.min(from + widestMargin, length);
  for (let at = from; at < end; at += 1) {
    const kind = kindOf(chars, at);
    if (kind === 0 || kind === lineEnd) {
      if (!isLineEnd(chars, at)) return false;
    } else if (kind === digit) {
      digits = last === digit ? digits + 1 : 1;
      if (digits > 3) return false;
    } else if (kind === minus && last === digit) return false;
    seen |= kind;
    last = kind;
    if (at < from + windowChars - 1 || (seen & digit) === 0 || (seen & (letter | hexSign)) === letter)
      continue;
    return (seen & gap) !== 0 && (seen & (quote | colon)) !== colon;
  }
  return false;
}

function regionStart(chars: Uint8Array, from: number, looked: number): number {
  let at = from;
  while (at > looked && isInside(chars, at - 1)) at -= 1;
  return at;
}

function regionEnd(chars: Uint8Array, from: number, length: number): number {
  let at = from;
  while (at < length && isInside(chars, at)) at += 1;
  return at;
}

function isInside(chars: Uint8Array, at: number): boolean {
  const kind = kindOf(chars, at);
  return (kind !== 0 && kind !== lineEnd) || isLineEnd(chars, at);
}

function isLineEnd(chars: Uint8Array, at: number): boolean {
  return chars[at - 1] === backslash && /[nrt]/.test(String.fromCharCode(chars[at] as number));
}

const backslash = 92;

function countNumbers(chars: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1)
    if (kindOf(chars, at) === digit && (at === start || kindOf(chars, at - 1) !== digit)) count += 1;
  return count;
}

/** A number, with the key before it. */
const unit =
  /(?:["'[]?\d{1,6}["'\]]?\s{0,8}(?::|=>)\s{0,8})?(?<![\w.])(?:0[xX]([0-9a-fA-F]{1,2})|(-?\d{1,3}))(?!\w|\.\d)/g;
const dots = /^(?:[\s,;]|\\[nrt]?)*(?:\.\.\.|\u2026|\xe2\x80\xa6)/;
const noMore = /^(?:[\s,;]|\\[nrt]?)*$/;

function listsIn(text: string, chars: Uint8Array, start: number, end: number): readonly Decoded[] {
  const lists: Decoded[] = [];
  let codes: number[] = [];
  let starts: number[] = [];
  let ends: number[] = [];
  let last = 0;
  const close = (): void => {
    if (codes.length >= shortestForm) lists.push(listOf(text, codes, starts, ends));
    if (codes.length > 0) [codes, starts, ends] = [[], [], []];
  };
  unit.lastIndex = start;
  for (let found = unit.exec(text); found !== null && found.index < end; found = unit.exec(text)) {
    const [, hex, decimal] = found;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (codes.length > 0 && !isGap(chars, last, found.index)) close();
    last = unit.lastIndex;
    if (code < -128 || code > 255) {
      close();
      continue;
    }
    codes.push(code & 255);
    starts.push(found.index);
    ends.push(last);
  }
  close();
  return lists;
}

/** Blanks, separators, quotes and escaped line ends, at least one. */
function isGap(chars: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const char = chars[at] as number;
    const isBetween = kinds[char] === gap || char === singleQuote || char === doubleQuote;
    if (!isBetween && !(at > start && isLineEnd(chars, at))) return false;
  }
  return end > start;
}

const singleQuote = 39;
const doubleQuote = 34;

function listOf(
  text: string,
  codes: readonly number[],
  starts: readonly number[],
  ends: readonly number[],
): Decoded {
  const last = codes.length - 1;
  const behind = text.slice(ends[last], (ends[last] as number) + widestMargin);
  const bytes = Buffer.from(codes).toString('latin1');
  const before = (start: number, end: number): readonly [number, number] => [
    starts[start] as number,
    ends[Math.min(end - 1, last)] as number,
  ];
  return {
    bytes: bytes + (dots.test(behind) ? '...' : ''),
    isLast: noMore.test(behind),
    before,
    nameOf: (start, end) => nameList(text.slice(...before(start, end)), bytes.slice(start, end)),
  };
}

/** Any notation but the usual ones has a mark, which reveals nothing about the numbers. */
function nameList(source: string, bytes: string): string {
  const usual = listSpellings.find(([, spell]) => spell(bytes) === source);
  if (usual) return usual[0];
  const manner = source
    .replaceAll(/0[xX][0-9a-fA-F]{1,2}/g, 'x')
    .replaceAll(/-?\d+/g, '0')
    .replaceAll(/[ \t]+/g, ' ');
  return `bytes~${markOf(`${manner}${/-/.test(source)}${/[A-FX]/.test(source)}${/0x.\b/i.test(source)}`)}`;
}
