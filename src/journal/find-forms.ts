/** Finds every form of every secret in a text, in one pass for what is fixed and one more for each layer of escapes that matters. Pure. */
import { cutMark } from '../kernel/cut-mark.ts';
import { type EncodedRun, runAround } from './encoded-runs.ts';
import { countUpTo, escapeLayers, halfUnit, nameSpelling, undoEscapes } from './escape-layers.ts';
import { type Decoded, numberLists, shortestInList } from './number-lists.ts';
import { coresOf, type Form, isPlain, joinLabels } from './secret-forms.ts';
import { fewestSigns, type Key, keysOf, shortestPiece, telltaleWords } from './secret-keys.ts';
import { brokenAt, hidden, isReporting, leastOf, longestPiece, type PlaceInKey } from './secret-pieces.ts';

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
  /** Few digits: inside a longer number they are not a secret. */
  readonly isAlone: boolean;
  /** Where it is looked for: not among zeros with which it begins. */
  readonly begin: number;
  /** So much of it gives it away. */
  readonly least: number;
  readonly isVaried: boolean;
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
  readonly #shortestBytes: number;
  /** Too short for that. */
  readonly #short: readonly Needle[];
  readonly #matters: ReadonlySet<string>;
  readonly longest: number;
  /** Base64 of values, without what depends on their surroundings. */
  readonly #cores: readonly Pick<Needle, 'text' | 'name' | 'label'>[];
  #scratch = Buffer.alloc(4096);
  #view = viewOf(this.#scratch);

  constructor(secrets: readonly (readonly [name: string, forms: readonly Form[]])[]) {
    const needles = new Map<string, Needle>();
    const named = secrets.flatMap(([name, forms]) => forms.map(([text, label]) => ({ text, name, label })));
    // What is a value itself is first of all that, and then a part of another one.
    for (const { text, name, label } of [...named.filter(({ label }) => label === ''), ...named])
      if (!needles.has(text))
        needles.set(text, {
          text,
          name,
          label,
          isAlone: label === '' && fewDigits.test(text),
          begin: beginOf(text),
          least: leastOf(text),
          isVaried: new Set(text).size >= fewestSigns,
        });
    const all = [...needles.values()];
    this.#cores = secrets.flatMap(([name, forms]) =>
      forms
        .filter(([, label]) => label === '')
        .flatMap(([value]) => coresOf(value).map(([text, label]) => ({ text, name, label }))),
    );
    this.#shortest = all.reduce((least, { text }) => Math.min(least, text.length), shortestBeginning);
    this.#short = all.filter(({ text }) => text.length < shortestIndexed);
    for (const needle of all) if (needle.text.length >= shortestIndexed) this.#index(needle);
    for (const key of secrets.flatMap(([name, forms]) => keysOf(name, forms)))
      for (const [word, places] of telltaleWords(key))
        for (const from of places) this.#places(word).keys.push({ key, from });
    this.longest = all.reduce((most, { text }) => Math.max(most, text.length), 0);
    const plain = secrets.flatMap(([, forms]) => forms.filter(isEscaped).map(([text]) => text));
    this.#shortestBytes = Math.min(...plain.map(({ length }) => length));
    this.#matters = new Set(`%\\&#;+/=-_\x1b${alphanumeric}${plain.join('')}`);
  }

  #index(needle: Needle): void {
    const bytes = Buffer.from(needle.text, 'latin1');
    for (let offset = needle.begin; offset < needle.begin + 4; offset += 1)
      this.#places(bytes.readInt32LE(offset)).forms.push({ needle, offset });
  }

  #places(word: number): Places {
    this.#filter[slotOf(word)] = 1;
    const places = this.#words.get(word) ?? { forms: [], keys: [] };
    this.#words.set(word, places);
    return places;
  }

  /** In order. Of overlapping ones the first and longest; what is inside it is distinguished from the rest of it. */
  find(text: string): readonly FoundForm[] {
    if (text.length < this.#shortest) return [];
    const all = uncovered(this.#look(text, 0, text.length >= longText));
    if (text.length >= shortestTorn) for (const part of this.#torn(text)) all.push(part);
    return all.length < 2 ? all : apart(all.sort(byPlace));
  }

  /** The beginning of a form, where a text was cut: before an ellipsis, and at the end of a long one. */
  #cutShort(text: string, isLong: boolean): FoundForm[] {
    const ends = hasEllipsis(text) ? [...text.matchAll(ellipsis)].map(({ index }) => index) : [];
    if (isLong) ends.push(text.length);
    return ends.flatMap((end, index) => {
      const half = halfUnit.exec(text.slice(Math.max(0, end - 8), end))?.[0].length ?? 0;
      // A form has few of them in it.
      const first = Math.max(ends[index - mostDots] ?? 0, end - this.longest + 1);
      const found =
        this.#beginningBefore(text, first, end) ??
        (half > 0 && this.#beginningBefore(text, first, end - half));
      return found ? [{ ...found, end, until: end }] : [];
    });
  }

  #beginningBefore(text: string, first: number, end: number): FoundForm | undefined {
    let word = 0;
    // The word that ends with this character.
    for (let at = first; at < end - (shortestBeginning - 4); at += 1) {
      word = (word >>> 8) | (text.charCodeAt(at) << 24);
      if (this.#filter[slotOf(word)] === 0 || at < first + 3) continue;
      const cut = this.#words.get(word)?.forms.find(({ needle: { begin, text: form }, offset }) => {
        const from = at - 3 - begin;
        return offset === begin && from >= 0 && form.startsWith(text.slice(from, end));
      });
      if (!cut) continue;
      const { name, label, begin } = cut.needle;
      const start = at - 3 - begin;
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

  #look(text: string, depth: number, isLong: boolean, least?: number): FoundForm[] {
    const runs: EncodedRun[] = [];
    const all = this.#scan(text, runs, least);
    if (isLong || hasEllipsis(text)) for (const cut of this.#cutShort(text, isLong)) all.push(cut);
    if (depth === deepest) return all;
    for (const list of numberLists(text, this.#scratch, this.#shortestBytes))
      for (const found of this.#inside(list, depth, isLong, shortestInList)) all.push(found);
    for (const run of runs) for (const found of this.#inside(run, depth, isLong)) all.push(found);
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

  #inside(
    { bytes, isLast, before, nameOf }: Decoded,
    depth: number,
    isLong: boolean,
    least?: number,
  ): FoundForm[] {
    return this.#look(bytes, depth + 1, isLong && isLast, least).map((found) => {
      const [start, end] = before(found.start, found.end);
      const until = before(found.start, found.until)[1];
      return { ...found, start, end, until, label: joinLabels(found.label, nameOf(found.start, found.end)) };
    });
  }

  #scan(text: string, runs: EncodedRun[], least = shortestPiece): FoundForm[] {
    const found: FoundForm[] = [];
    for (const needle of this.#short)
      for (let at = text.indexOf(needle.text); at >= 0; at = text.indexOf(needle.text, at + 1))
        if (isWhole(needle, text, at)) found.push(foundAt(needle, at));
    const words = text.length >> 2;
    const view = this.#read(text);
    const filter = this.#filter;
    const looked = new Map<Key, number>();
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
        } else for (const part of brokenAt(needle, text, start)) found.push(part);
      }
      const piece = longestPiece(places.keys, text, index * 4, looked, least);
      if (!piece) continue;
      if (isReporting(piece, text, least)) for (const part of hidden(piece, text)) found.push(part);
      const run = piece.start < (runs.at(-1)?.end ?? 0) ? undefined : runAround(piece, text);
      if (run) runs.push(run);
    }
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

/** What is written with escapes: the values, also where escapes denote code points. */
function isEscaped(form: Form): boolean {
  return isPlain(form) || form[1].endsWith('latin1');
}

/** As a character, as bytes, as dots, and as our own mark. */
const ellipsis = new RegExp(`\\u2026|\\xe2\\x80\\xa6|\\.\\.\\.|${cutMark}`, 'g');
const fewDigits = /^\d{1,9}$/;
const longRunChars = 40;
const longRun = new RegExp(`^[A-Za-z0-9+/]{${longRunChars}}$`);
const onlyRun = /^[A-Za-z0-9+/]+=*$/;
const shortestTorn = 8;
const longText = 1024;
const shortestBeginning = 6;
const mostDots = 4;
const filterBits = 18;
/** From here on, one of four aligned words is inside. */
const shortestIndexed = 7;
const alphanumeric = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

function hasEllipsis(text: string): boolean {
  return (
    text.includes('\u2026') || text.includes('\xe2\x80\xa6') || text.includes('...') || text.includes(cutMark)
  );
}

function beginOf(text: string): number {
  const run = /^(.)\1*/s.exec(text)?.[0].length ?? 0;
  return run + 4 > text.length ? 0 : Math.max(0, run - 3);
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

/** What is only a part of a form gives way to whole ones, unless more depends on it. */
function uncovered(looked: FoundForm[]): FoundForm[] {
  if (!looked.some(({ isBroken }) => isBroken)) return looked;
  const whole = looked.filter(({ isBroken }) => !isBroken).sort(byPlace);
  const starts = whole.map(({ start }) => start);
  let most = 0;
  const ends = whole.map(({ end }) => {
    most = Math.max(most, end);
    return most;
  });
  return looked.flatMap((found) => {
    const { isBroken, start, end, until } = found;
    const last = countUpTo(starts, end - 1) - 1;
    const covered = ends[last] ?? 0;
    if (!isBroken || covered <= start) return [found];
    const first = starts[countUpTo(ends, start)] as number;
    const rest = [cutTo(found, start, first), cutTo(found, covered, end)].filter(
      (part) => part.start < part.end,
    );
    return rest.length === 0 && until > end ? [found] : rest;
  });
}

function cutTo(found: FoundForm, from: number, to: number): FoundForm {
  const { start, end, label } = found;
  if (from === start && to === end) return found;
  return { ...found, start: from, end: to, label: joinLabels(label, `part${from - start}-${to - start}`) };
}

/** Sorted. A secret inside another one, or across its end, has its own token between those of its parts. */
function apart(all: readonly FoundForm[]): readonly FoundForm[] {
  const pieces: FoundForm[] = [];
  let group: FoundForm[] = [];
  let whole: FoundForm | undefined;
  /** Reaches beyond what is hidden, and begins in it. */
  let rest: FoundForm | undefined;
  let from = 0;
  const close = (to: number): void => {
    if (!whole || to <= from) return;
    group.push(cutTo(whole, from, to));
    from = to;
  };
  const finish = (next: number): void => {
    close(whole?.end ?? 0);
    if (rest && Math.min(rest.end, next) > from) group.push(cutTo(rest, from, Math.min(rest.end, next)));
    const until = group.at(-1)?.end ?? 0;
    for (const piece of group) pieces.push({ ...piece, until: Math.max(until, piece.until) });
    group = [];
    rest = undefined;
  };
  for (const found of all) {
    if (!whole || found.start >= Math.max(whole.end, from)) {
      finish(found.start);
      whole = found;
      from = found.start;
    } else if (found.start >= from && found.name !== whole.name) {
      close(found.start);
      group.push(found);
      from = found.end;
    } else if (found.end > (rest?.end ?? 0)) rest = found;
  }
  finish(Number.POSITIVE_INFINITY);
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
