/** Finds every form of every secret in a text, in one pass for what is fixed and one more for each layer of escapes that matters. Pure. */
import { countUpTo, escapeLayers, halfUnit, nameSpelling, undoEscapes } from './escape-layers.ts';
import { type Form, isPlain, joinLabels } from './secret-forms.ts';
import {
  hidden,
  isTelling,
  type Key,
  keysOf,
  longestPiece,
  type Piece,
  type PlaceInKey,
} from './secret-pieces.ts';

export interface FoundForm {
  readonly start: number;
  readonly end: number;
  /** Where that ends of which it is a part. */
  readonly until: number;
  readonly name: string;
  readonly label: string;
  /** Only a part of a form: counts where no whole one is. */
  readonly isBroken?: true;
}

interface Needle {
  readonly text: string;
  readonly name: string;
  readonly label: string;
  /** Few digits: inside of a longer number they are nobody's. */
  readonly isAlone: boolean;
}

interface Places {
  readonly forms: { readonly needle: Needle; readonly offset: number }[];
  readonly keys: PlaceInKey[];
}

const deepest = 3;

/** `text` holds one byte or one UTF-16 unit per character; the forms must be in the same alphabet, or plain ASCII. */
export class FormFinder {
  /**
   * Four characters of a form, wherever it begins, are one aligned word of the text: a filter that says no to nearly every
   * word, then the forms that have it, with its place in them. Of a key it may be any four, since a piece of it begins anywhere.
   */
  readonly #filter = new Uint8Array(1 << filterBits);
  readonly #words = new Map<number, Places>();
  readonly #shortest: number;
  /** Too short for that. */
  readonly #short: readonly Needle[];
  readonly #matters: ReadonlySet<string>;
  readonly longest: number;
  /** Base64 of values, without what depends on their surroundings. */
  readonly #cores: readonly Needle[];
  #scratch = Buffer.alloc(4096);
  #view = viewOf(this.#scratch);

  constructor(secrets: readonly (readonly [name: string, forms: readonly Form[]])[]) {
    const needles = new Map<string, Needle>();
    const named = secrets.flatMap(([name, forms]) => forms.map(([text, label]) => ({ text, name, label })));
    // What is a value itself is first of all that, and then a part of another one.
    for (const { text, name, label } of [...named.filter(({ label }) => label === ''), ...named])
      if (!needles.has(text))
        needles.set(text, { text, name, label, isAlone: label === '' && fewDigits.test(text) });
    const all = [...needles.values()];
    this.#cores = all.filter(({ label }) => /^base64\+\d$/.test(label));
    this.#shortest = all.reduce((least, { text }) => Math.min(least, text.length), shortestBeginning);
    this.#short = all.filter(({ text }) => text.length < shortestIndexed);
    for (const needle of all) if (needle.text.length >= shortestIndexed) this.#index(needle);
    for (const [name, forms] of secrets) for (const key of keysOf(name, forms)) this.#indexKey(key);
    this.longest = all.reduce((most, { text }) => Math.max(most, text.length), 0);
    const plain = secrets.flatMap(([, forms]) => forms.filter(isPlain).map(([text]) => text)).join('');
    this.#matters = new Set(`%\\&#;+/=-_\x1b${alphanumeric}${plain}`);
  }

  #index(needle: Needle): void {
    const bytes = Buffer.from(needle.text, 'latin1');
    for (let offset = 0; offset < 4; offset += 1)
      this.#places(bytes.readInt32LE(offset)).forms.push({ needle, offset });
  }

  #indexKey(key: Key): void {
    const bytes = Buffer.from(key.text, 'latin1');
    for (let from = 0; from + 4 <= bytes.length; from += 1)
      if (key.random[from] !== key.random[from + 4])
        this.#places(bytes.readInt32LE(from)).keys.push({ key, from });
  }

  #places(word: number): Places {
    this.#filter[slotOf(word)] = 1;
    const places = this.#words.get(word) ?? { forms: [], keys: [] };
    this.#words.set(word, places);
    return places;
  }

  /** In their order. Of those that overlap the first and longest, and what lies inside of it is told apart from the rest of it. */
  find(text: string): readonly FoundForm[] {
    if (text.length < this.#shortest) return [];
    const all = uncovered(this.#look(text, 0, text.length >= longText));
    if (text.length >= shortestTorn) all.push(...this.#torn(text));
    return all.length < 2 ? all : apart(all.sort(byPlace));
  }

  /** The beginning of a form, where somebody cut a text: before an ellipsis, and at the end of a long one. */
  #cutShort(text: string, isLong: boolean): FoundForm[] {
    const ends = hasEllipsis(text) ? [...text.matchAll(ellipsis)].map(({ index }) => index) : [];
    if (isLong) ends.push(text.length);
    return ends.flatMap((end) => {
      const half = halfUnit.exec(text.slice(Math.max(0, end - 8), end))?.[0].length ?? 0;
      const found = this.#beginningBefore(text, end) ?? (half > 0 && this.#beginningBefore(text, end - half));
      return found ? [{ ...found, end, until: end }] : [];
    });
  }

  #beginningBefore(text: string, end: number): FoundForm | undefined {
    const first = Math.max(0, end - this.longest + 1);
    let word = 0;
    // The word that ends with this character.
    for (let at = first; at < end - (shortestBeginning - 4); at += 1) {
      word = (word >>> 8) | (text.charCodeAt(at) << 24);
      if (this.#filter[slotOf(word)] === 0 || at < first + 3) continue;
      const start = at - 3;
      const cut = this.#words
        .get(word)
        ?.forms.find(({ needle, offset }) => offset === 0 && needle.text.startsWith(text.slice(start, end)));
      if (!cut) continue;
      const { name, label } = cut.needle;
      return { start, end, until: end, name, label: joinLabels(label, `first${end - start}`) };
    }
    return undefined;
  }

  /** The one or the other part of a value, where a wrapped base64 is seen line by line. */
  #torn(text: string): FoundForm[] {
    const isEnding = longRun.test(text.slice(-longRunChars));
    const isRest = onlyRun.test(text);
    if (!isEnding && !isRest) return [];
    return this.#cores.flatMap(({ text: core, name, label }) => {
      const start = isEnding ? text.lastIndexOf(core.slice(0, shortestTorn)) : -1;
      const first = start >= 0 && core.startsWith(text.slice(start)) ? text.length - start : 0;
      const from = isRest ? core.indexOf(text.slice(0, shortestTorn)) : -1;
      const last = from > 0 && text.startsWith(core.slice(from)) ? core.length - from : 0;
      return [
        ...(first > 0
          ? [{ start, end: text.length, until: text.length, name, label: `${label}.first${first}` }]
          : []),
        ...(last > 0 ? [{ start: 0, end: last, until: last, name, label: `${label}.last${last}` }] : []),
      ];
    });
  }

  #look(text: string, depth: number, isLong: boolean): FoundForm[] {
    const all = this.#scan(text);
    if (isLong || hasEllipsis(text)) all.push(...this.#cutShort(text, isLong));
    if (depth === deepest) return all;
    for (const layer of escapeLayers) {
      if (!text.includes(layer.sign)) continue;
      const plain = undoEscapes(text, layer, this.#matters);
      if (!plain) continue;
      for (const { start, end, until, name, label, isBroken } of this.#look(plain.text, depth + 1, isLong)) {
        const [from, to] = plain.before(start, end);
        // Without an escape in it, it was found already.
        if (to - from === end - start) continue;
        const spelling = nameSpelling(layer, text, plain, [start, end]);
        all.push({
          start: from,
          end: to,
          until: plain.before(start, until)[1],
          name,
          label: joinLabels(label, spelling),
          ...(isBroken && { isBroken }),
        });
      }
    }
    return all;
  }

  #scan(text: string): FoundForm[] {
    const found: FoundForm[] = [];
    for (const needle of this.#short)
      for (let at = text.indexOf(needle.text); at >= 0; at = text.indexOf(needle.text, at + 1))
        if (isWhole(needle, text, at)) found.push(foundAt(needle, at));
    const words = text.length >> 2;
    const view = this.#read(text);
    const filter = this.#filter;
    const pieces: Piece[] = [];
    let looked = 0;
    for (let index = 0; index < words; index += 1) {
      const word = view[index] as number;
      if (filter[slotOf(word)] === 0) continue;
      const places = this.#words.get(word);
      if (places === undefined) continue;
      for (const { needle, offset } of places.forms) {
        const start = index * 4 - offset;
        if (start < 0) continue;
        if (text.startsWith(needle.text, start)) {
          if (isWhole(needle, text, start)) found.push(foundAt(needle, start));
        } else found.push(...brokenAt(needle, text, start));
      }
      if (places.keys.length === 0 || index * 4 < looked) continue;
      const piece = longestPiece(places.keys, text, index * 4);
      if (!isTelling(piece, text)) continue;
      looked = piece.start + piece.length;
      if (piece.length < piece.key.text.length) pieces.push(piece);
    }
    found.push(...hidden(pieces, text));
    return found;
  }

  #read(text: string): Int32Array {
    if (text.length > this.#scratch.length) {
      this.#scratch = Buffer.alloc(text.length + 4096);
      this.#view = viewOf(this.#scratch);
    }
    this.#scratch.write(text, 0, 'latin1');
    return this.#view;
  }
}

/** As a character, as bytes, and as dots. */
const ellipsis = /\u2026|\xe2\x80\xa6|\.\.\./g;
const fewDigits = /^\d{1,9}$/;
const longRunChars = 40;
const longRun = new RegExp(`^[A-Za-z0-9+/]{${longRunChars}}$`);
const onlyRun = /^[A-Za-z0-9+/]+=*$/;
const shortestTorn = 8;
const longText = 1024;
const shortestBeginning = 6;
const shortestBroken = 12;
const onlyHost = /^[a-z][a-z0-9+.-]*:\/\/[^/@]*\/?$/i;
const filterBits = 18;
/** From here on, one of four aligned words lies inside. */
const shortestIndexed = 7;
const alphanumeric = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

function hasEllipsis(text: string): boolean {
  return text.includes('\u2026') || text.includes('\xe2\x80\xa6') || text.includes('...');
}

/** Somebody broke off in the midst of it. Less than half of a value does not give it away, and may be what others begin with, too. */
function brokenAt({ text: form, name, label }: Needle, text: string, start: number): FoundForm[] {
  let length = 0;
  while (length < form.length && form.charCodeAt(length) === text.charCodeAt(start + length)) length += 1;
  const end = start + length;
  if (length < shortestBroken || length * 2 < form.length || /^[A-Za-z0-9]/.test(text.charAt(end))) return [];
  if (onlyHost.test(form.slice(0, length))) return [];
  return [{ start, end, until: end, name, label: joinLabels(label, `first${length}`), isBroken: true }];
}

function isWhole({ isAlone, text: { length } }: Needle, text: string, start: number): boolean {
  return !isAlone || !(isDigit(text.charCodeAt(start - 1)) || isDigit(text.charCodeAt(start + length)));
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function byPlace(a: FoundForm, b: FoundForm): number {
  return a.start - b.start || b.end - a.end || b.until - a.until;
}

/** What is only a part of a form goes where a whole one is, unless more depends on it. */
function uncovered(looked: FoundForm[]): FoundForm[] {
  if (!looked.some(({ isBroken }) => isBroken)) return looked;
  const whole = looked.filter(({ isBroken }) => !isBroken).sort(byPlace);
  const starts = whole.map(({ start }) => start);
  let most = 0;
  const ends = whole.map(({ end }) => {
    most = Math.max(most, end);
    return most;
  });
  return looked.filter(
    ({ isBroken, start, end, until }) =>
      !isBroken || until > end || (ends[countUpTo(starts, end - 1) - 1] ?? 0) <= start,
  );
}

/** Sorted. A secret inside of another one, or across its end, has its own token between those of its parts. */
function apart(all: readonly FoundForm[]): readonly FoundForm[] {
  const pieces: FoundForm[] = [];
  let group: FoundForm[] = [];
  let whole: FoundForm | undefined;
  let from = 0;
  const close = (to: number): void => {
    if (!whole || to <= from) return;
    const { start, end, label } = whole;
    const part =
      from === start && to === end ? label : joinLabels(label, `part${from - start}-${to - start}`);
    group.push({ ...whole, start: from, end: to, label: part });
  };
  const finish = (): void => {
    close(whole?.end ?? 0);
    const until = group.at(-1)?.end ?? 0;
    for (const piece of group) pieces.push({ ...piece, until: Math.max(until, piece.until) });
    group = [];
  };
  for (const found of all) {
    if (found.start < from) continue;
    if (!whole || found.start >= whole.end) {
      finish();
      whole = found;
      from = found.start;
    } else if (found.name !== whole.name) {
      close(found.start);
      group.push(found);
      from = found.end;
    }
  }
  finish();
  return pieces;
}

function slotOf(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> (32 - filterBits);
}

function viewOf(bytes: Buffer): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

function foundAt({ text, name, label }: Needle, start: number): FoundForm {
  const end = start + text.length;
  return { start, end, until: end, name, label };
}
