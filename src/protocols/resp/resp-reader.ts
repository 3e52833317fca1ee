/** Reads values of RESP 2 and 3, the protocol of Redis, in bounded memory. Pure. */
import { exactNumber } from '../../kernel/exact-json.ts';
import { moreNotKept, notRead } from '../../kernel/not-kept.ts';
import { headLine, utf8Text } from '../../kernel/utf8-text.ts';
import { storeLimits } from '../stores/store-conversation.ts';
import { textBetween } from '../stores/text-between.ts';
import { inlineWords } from './inline-words.ts';

export interface RespValue {
  readonly value: unknown;
  /** An error instead of a value. */
  readonly isError: boolean;
  /** Sent by itself, as an answer to nothing. */
  readonly isPush: boolean;
  /** How many are in the list, also beyond what is kept. */
  readonly items: number;
  /** How many of these are not kept; the others are the first. */
  readonly dropped: number;
  /** Which of them are errors, kept or not. */
  readonly errors: readonly number[];
  readonly bytes: number;
}

/** A list, a set or a map that is not complete. */
interface Open {
  readonly kind: string;
  left: number;
  readonly items: unknown[];
  dropped: number;
  errors?: number[];
}

/** A value whose length was said before it. */
interface Bulk {
  readonly kind: string;
  readonly bytes: number;
  left: number;
  readonly kept: Buffer[];
  keptBytes: number;
}

/** How much of each value is kept, and what its bytes become; absent: a text. */
export interface Keeping {
  readonly valueBytes: number;
  readonly listBytes: number;
  readonly listItems: number;
  readonly made?: (bytes: Buffer) => unknown;
}

const forTaps: Keeping = {
  valueBytes: storeLimits.valueBytes,
  listBytes: storeLimits.rowBytes,
  listItems: 1_000,
};

const longestLine = 64 * 1024;
const deepest = 64;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export class RespReader {
  readonly #onValue: (value: RespValue) => void;
  /** A line that begins no list is a command of words. */
  readonly #takesWords: boolean;
  readonly #keeping: Keeping;
  readonly #open: Open[] = [];
  #line = '';
  #bulk: Bulk | undefined;
  #bytes = 0;
  #keptBytes = 0;
  #isBroken = false;

  constructor(onValue: (value: RespValue) => void, takesWords = false, keeping = forTaps) {
    this.#onValue = onValue;
    this.#takesWords = takesWords;
    this.#keeping = keeping;
  }

  /** False where these are not values: nothing more can be read. */
  push(bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length && !this.#isBroken)
      at = this.#bulk === undefined ? this.#readLine(bytes, at) : this.#readBulk(this.#bulk, bytes, at);
    return !this.#isBroken;
  }

  #readLine(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(lineFeed, from);
    const to = end < 0 ? bytes.length : end;
    this.#bytes += to - from + (end < 0 ? 0 : 1);
    const isPlain = end >= 0 && this.#line === '' && !this.#isInline(bytes[from]);
    const count = isPlain ? countIn(bytes, from + 1, end) : -1;
    if (count >= 0 && this.#beginCounted(bytes[from], count)) return end + 1;
    const piece = bytes.toString('latin1', from, to);
    if (this.#line.length + piece.length > longestLine) this.#isBroken = true;
    else if (end < 0) this.#line += piece;
    else {
      const line = (this.#line + piece).replace(/\r$/, '');
      this.#line = '';
      if (this.#isInline(line.charCodeAt(0))) this.#words(line);
      else this.#begin(headLine(line));
    }
    return end < 0 ? bytes.length : end + 1;
  }

  /** What most lines are, without a text of it; false for any other. */
  #beginCounted(kind: number | undefined, count: number): boolean {
    if (kind === dollar) this.#beginBulk('$', count);
    else if (kind === asterisk) this.#beginList('*', count);
    else if (kind === colon) this.#value(count, false);
    else return false;
    return true;
  }

  #begin(line: string): void {
    const kind = line.charAt(0);
    const rest = line.slice(1);
    if ('$=!'.includes(kind) && kind !== '') this.#beginBulk(kind, Number(rest));
    else if ('*~%>|'.includes(kind) && kind !== '') this.#beginList(kind, Number(rest));
    else if (kind in scalars) this.#value(scalars[kind]?.(rest), kind === '-');
    else this.#isBroken = true;
  }

  #isInline(kind: number | undefined): boolean {
    return this.#takesWords && this.#open.length === 0 && kind !== asterisk;
  }

  /** As typed by a person; an empty line is none. */
  #words(line: string): void {
    const words = inlineWords(line);
    if (words === undefined) this.#isBroken = true;
    else if (words.length === 0) this.#bytes = 0;
    else {
      this.#beginList('*', words.length);
      for (const word of words) this.#value(this.#kept(word), false);
    }
  }

  #kept(word: string): unknown {
    const bytes = Buffer.byteLength(word);
    return bytes > this.#keeping.valueBytes ? this.#lost(bytes) : word;
  }

  #lost(bytes: number): unknown {
    return notRead(`a value of ${bytes} bytes is not kept; at most ${this.#keeping.valueBytes} are`);
  }

  #beginBulk(kind: string, bytes: number): void {
    if (bytes === -1) this.#value(null, false);
    else if (!isCount(bytes)) this.#isBroken = true;
    // With the line end behind it.
    else this.#bulk = { kind, bytes, left: bytes + 2, kept: [], keptBytes: 0 };
  }

  #readBulk(bulk: Bulk, bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + bulk.left);
    const { valueBytes, made } = this.#keeping;
    if (end - from === bulk.bytes + 2 && bulk.bytes <= valueBytes) {
      this.#bytes += end - from;
      const value = made ? made(bytes.subarray(from, end - 2)) : textBetween(bytes, from, end - 2);
      this.#endText(bulk.kind, value, bytes[end - 1]);
      return end;
    }
    const contentEnd = Math.min(end, from + bulk.left - 2);
    bulk.left -= end - from;
    this.#bytes += end - from;
    if (contentEnd > from && bulk.bytes <= valueBytes) {
      bulk.kept.push(Buffer.from(bytes.subarray(from, contentEnd)));
      bulk.keptBytes += contentEnd - from;
    }
    if (bulk.left === 0) this.#endBulk(bulk, bytes[end - 1]);
    return end;
  }

  #endBulk({ kind, bytes, kept, keptBytes }: Bulk, last: number | undefined): void {
    const { made = utf8Text } = this.#keeping;
    this.#endText(kind, keptBytes < bytes ? this.#lost(bytes) : made(Buffer.concat(kept)), last);
  }

  #endText(kind: string, value: unknown, last: number | undefined): void {
    this.#bulk = undefined;
    if (last !== lineFeed) this.#isBroken = true;
    else if (typeof value !== 'string') this.#value(value, kind === '!');
    // `txt:` or `mkd:` before it says how it is meant.
    else this.#value(kind === '=' ? value.slice(4) : value, kind === '!');
  }

  #beginList(kind: string, count: number): void {
    if (count === -1) this.#value(null, false);
    else if (!isCount(count) || this.#open.length >= deepest) this.#isBroken = true;
    else {
      this.#open.push({
        kind,
        left: kind === '%' || kind === '|' ? count * 2 : count,
        items: [],
        dropped: 0,
      });
      if (count === 0) this.#closeLists();
    }
  }

  #value(value: unknown, isError: boolean): void {
    const outer = this.#open.at(-1);
    if (outer === undefined) {
      this.#end({ ...single, value, isError, items: Array.isArray(value) ? value.length : 0 });
      return;
    }
    outer.left -= 1;
    if (isError) noteError(outer);
    this.#keptBytes += sizeOf(value);
    const { listBytes, listItems } = this.#keeping;
    if (this.#keptBytes > listBytes || outer.items.length >= listItems) outer.dropped += 1;
    else outer.items.push(isError ? { error: value } : value);
    if (outer.left === 0) this.#closeLists();
  }

  #closeLists(): void {
    const done = this.#open.pop();
    if (done === undefined) return;
    // Attributes belong to the value that follows them.
    if (done.kind === '|') return;
    const because = `only the first ${done.items.length} of the values are kept`;
    const rest = done.dropped === 0 ? [] : [moreNotKept(done.dropped, because)];
    const value =
      done.kind !== '%' ? [...done.items, ...rest] : rest.length > 0 ? notRead(because) : asMap(done.items);
    const all = done.items.length + done.dropped;
    if (this.#open.length > 0) this.#value(value, false);
    else {
      const { kind, dropped, errors = none } = done;
      this.#end({ value, isError: false, isPush: kind === '>', items: all, dropped, errors });
    }
  }

  #end({ value, isError, isPush, items, dropped, errors }: Omit<RespValue, 'bytes'>): void {
    const bytes = this.#bytes;
    this.#bytes = 0;
    this.#keptBytes = 0;
    this.#onValue({ value, isError, isPush, items, dropped, errors, bytes });
  }
}

/** As many as a transaction may have commands. */
function noteError(list: Open): void {
  list.errors ??= [];
  if (list.errors.length < storeLimits.pipelined) list.errors.push(list.items.length + list.dropped);
}

const none: readonly number[] = [];
const single = { isPush: false, dropped: 0, errors: none } as const;

const [dollar, asterisk, colon] = [0x24, 0x2a, 0x3a];
const longestCount = 9;

/** A plain number with a whole line end behind it; -1 for anything else. */
function countIn(bytes: Buffer, from: number, lineFeedAt: number): number {
  const to = lineFeedAt - 1;
  if (to <= from || to - from > longestCount || bytes[to] !== carriageReturn) return -1;
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    count = count * 10 + digit;
  }
  return count;
}

const scalars: Readonly<Record<string, (rest: string) => unknown>> = {
  '+': (rest) => rest,
  '-': (rest) => rest,
  ':': (rest) => (/^[-+]?\d+$/.test(rest) ? exactNumber(rest) : rest),
  '(': (rest) => (/^[-+]?\d+$/.test(rest) ? exactNumber(rest) : rest),
  ',': (rest) => (/^[-+]?[\d.]+(?:e[-+]?\d+)?$/i.test(rest) ? exactNumber(rest) : rest),
  '#': (rest) => rest === 't',
  _: () => null,
};

function isCount(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 0;
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' ? value.length + 16 : 16;
}

/** Keys need not be texts. */
function asMap(items: readonly unknown[]): unknown {
  const pairs = items.flatMap((item, index) => (index % 2 === 0 ? [[item, items[index + 1]] as const] : []));
  const isPlain = pairs.every(([key]) => typeof key === 'string');
  return isPlain && new Set(pairs.map(([key]) => key)).size === pairs.length
    ? Object.fromEntries(pairs)
    : pairs;
}
