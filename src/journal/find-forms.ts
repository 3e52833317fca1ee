/** Finds every form of every secret in a text, in one pass for what is fixed and one more for each layer of escapes that matters. Pure. */
import { escapeLayers, nameSpelling, undoEscapes } from './escape-layers.ts';
import { type Form, joinLabels } from './secret-forms.ts';

export interface FoundForm {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly label: string;
}

interface Needle {
  readonly text: string;
  readonly name: string;
  readonly label: string;
}

const deepest = 3;

/** `text` holds one byte or one UTF-16 unit per character; the forms must be in the same alphabet, or plain ASCII. */
export class FormFinder {
  /**
   * Four characters of a form, wherever it begins, are one aligned word of the text: a filter that says no to nearly every
   * word, then the forms that have it, with its place in them.
   */
  readonly #filter = new Uint8Array(1 << filterBits);
  readonly #words = new Map<number, { readonly needle: Needle; readonly offset: number }[]>();
  readonly #shortest: number;
  /** Too short for that. */
  readonly #short: readonly Needle[];
  readonly #matters: ReadonlySet<string>;
  readonly #values: readonly (readonly [name: string, value: string])[];
  /** Base64 of values, without what depends on their surroundings. */
  readonly #cores: readonly Needle[];
  #scratch = Buffer.alloc(4096);
  #view = viewOf(this.#scratch);

  constructor(secrets: readonly (readonly [name: string, forms: readonly Form[]])[]) {
    const needles = new Map<string, Needle>();
    for (const [name, forms] of secrets)
      for (const [text, label] of forms) if (!needles.has(text)) needles.set(text, { text, name, label });
    const all = [...needles.values()];
    this.#cores = all.filter(({ label }) => /^base64\+\d$/.test(label));
    this.#shortest = Math.min(shortestBeginning, ...all.map(({ text }) => text.length));
    this.#short = all.filter(({ text }) => text.length < shortestIndexed);
    for (const needle of all) if (needle.text.length >= shortestIndexed) this.#index(needle);
    this.#values = secrets.map(([name, [[text] = ['']]]) => [name, text]);
    const plain = this.#values.map(([, text]) => text).join('');
    this.#matters = new Set(`%\\&#;+/=-_${alphanumeric}${plain}`);
  }

  #index(needle: Needle): void {
    const bytes = Buffer.from(needle.text, 'latin1');
    for (let offset = 0; offset < 4; offset += 1) {
      const word = bytes.readInt32LE(offset);
      this.#filter[slotOf(word)] = 1;
      const beside = this.#words.get(word);
      if (beside) beside.push({ needle, offset });
      else this.#words.set(word, [{ needle, offset }]);
    }
  }

  /** The first and longest of those that overlap, in their order. */
  find(text: string): readonly FoundForm[] {
    if (text.length < this.#shortest) return [];
    const all = this.#look(text, 0);
    if (text.length >= longText || hasEllipsis(text)) all.push(...this.#cutShort(text));
    if (text.length >= shortestTorn) all.push(...this.#torn(text));
    if (all.length < 2) return all;
    let end = 0;
    return all
      .sort((a, b) => a.start - b.start || b.end - a.end)
      .filter((found) => {
        if (found.start < end) return false;
        end = found.end;
        return true;
      });
  }

  /** The beginning of a value, where somebody cut a text: before an ellipsis, and at the end of a long one. */
  #cutShort(text: string): FoundForm[] {
    const ends = [...text.matchAll(ellipsis)].map(({ index }) => index);
    if (text.length >= longText) ends.push(text.length);
    return ends.flatMap((end) =>
      this.#values.flatMap(([name, value]) => {
        const start = text.indexOf(value.slice(0, shortestBeginning), Math.max(0, end - value.length + 1));
        if (start < 0 || end - start < shortestBeginning || !value.startsWith(text.slice(start, end)))
          return [];
        return [{ start, end, name, label: `first${end - start}` }];
      }),
    );
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
        ...(first > 0 ? [{ start, end: text.length, name, label: `${label}.first${first}` }] : []),
        ...(last > 0 ? [{ start: 0, end: last, name, label: `${label}.last${last}` }] : []),
      ];
    });
  }

  #look(text: string, depth: number): FoundForm[] {
    const all = this.#scan(text);
    if (depth === deepest) return all;
    for (const layer of escapeLayers) {
      if (!text.includes(layer.sign)) continue;
      const plain = undoEscapes(text, layer, this.#matters);
      if (!plain) continue;
      for (const { start, end, name, label } of this.#look(plain.text, depth + 1)) {
        const [from, to] = plain.before(start, end);
        // Without an escape in it, it was found already.
        if (to - from === end - start) continue;
        const spelling = nameSpelling(layer, text, plain, [start, end]);
        all.push({ start: from, end: to, name, label: joinLabels(label, spelling) });
      }
    }
    return all;
  }

  #scan(text: string): FoundForm[] {
    const found: FoundForm[] = [];
    for (const needle of this.#short)
      for (let at = text.indexOf(needle.text); at >= 0; at = text.indexOf(needle.text, at + 1))
        found.push(foundAt(needle, at));
    const words = text.length >> 2;
    const view = this.#read(text);
    const filter = this.#filter;
    for (let index = 0; index < words; index += 1) {
      const word = view[index] as number;
      if (filter[slotOf(word)] === 0) continue;
      for (const { needle, offset } of this.#words.get(word) ?? []) {
        const start = index * 4 - offset;
        if (start >= 0 && text.startsWith(needle.text, start)) found.push(foundAt(needle, start));
      }
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

/** As a character, and as bytes. */
const ellipsis = /\u2026|\xe2\x80\xa6/g;
const longRunChars = 40;
const longRun = new RegExp(`^[A-Za-z0-9+/]{${longRunChars}}$`);
const onlyRun = /^[A-Za-z0-9+/]+=*$/;
const shortestTorn = 8;
const longText = 1024;
const shortestBeginning = 6;
const filterBits = 17;
/** From here on, one of four aligned words lies inside. */
const shortestIndexed = 7;
const alphanumeric = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

function hasEllipsis(text: string): boolean {
  return text.includes('\u2026') || text.includes('\xe2\x80\xa6');
}

function slotOf(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> (32 - filterBits);
}

function viewOf(bytes: Buffer): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

function foundAt({ text, name, label }: Needle, start: number): FoundForm {
  return { start, end: start + text.length, name, label };
}
