/** Reads values of RESP 2 and 3, the protocol of Redis, in bounded memory. Pure. */
import { exactNumber } from '../../kernel/exact-json.ts';
import { notRead } from '../../kernel/not-kept.ts';
import { headLine, utf8Text } from '../../kernel/utf8-text.ts';
import { storeLimits } from '../stores/store-conversation.ts';

export interface RespValue {
  readonly value: unknown;
  /** An error instead of a value. */
  readonly isError: boolean;
  /** Sent by itself, as an answer to nothing. */
  readonly isPush: boolean;
  readonly bytes: number;
}

/** A list, a set or a map that is not complete. */
interface Open {
  readonly kind: string;
  left: number;
  readonly items: unknown[];
  dropped: number;
}

/** A value whose length was said before it. */
interface Bulk {
  readonly kind: string;
  readonly bytes: number;
  left: number;
  readonly kept: Buffer[];
  keptBytes: number;
}

const longestLine = 64 * 1024;
const deepest = 64;
const lineFeed = 0x0a;

export class RespReader {
  readonly #onValue: (value: RespValue) => void;
  /** A line that is not a value is a command of words. */
  readonly #takesWords: boolean;
  readonly #open: Open[] = [];
  #line = '';
  #bulk: Bulk | undefined;
  #bytes = 0;
  #keptBytes = 0;
  #isBroken = false;

  constructor(onValue: (value: RespValue) => void, takesWords = false) {
    this.#onValue = onValue;
    this.#takesWords = takesWords;
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
    const piece = bytes.toString('latin1', from, to);
    if (this.#line.length + piece.length > longestLine) this.#isBroken = true;
    else if (end < 0) this.#line += piece;
    else {
      const line = headLine((this.#line + piece).replace(/\r$/, ''));
      this.#line = '';
      this.#begin(line);
    }
    return end < 0 ? bytes.length : end + 1;
  }

  #begin(line: string): void {
    const kind = line.charAt(0);
    const rest = line.slice(1);
    if ('$=!'.includes(kind) && kind !== '') this.#beginBulk(kind, Number(rest));
    else if ('*~%>|'.includes(kind) && kind !== '') this.#beginList(kind, Number(rest));
    else if (kind in scalars) this.#value(scalars[kind]?.(rest), kind === '-');
    else if (this.#takesWords && this.#open.length === 0) this.#words(line);
    else this.#isBroken = true;
  }

  /** As typed by a person; an empty line is none. */
  #words(line: string): void {
    const items = line.split(/\s+/).filter((word) => word !== '');
    if (items.length > 0) this.#value(items, false);
    else this.#bytes = 0;
  }

  #beginBulk(kind: string, bytes: number): void {
    if (bytes === -1) this.#value(null, false);
    else if (!isCount(bytes)) this.#isBroken = true;
    // With the line end behind it.
    else this.#bulk = { kind, bytes, left: bytes + 2, kept: [], keptBytes: 0 };
  }

  #readBulk(bulk: Bulk, bytes: Buffer, from: number): number {
    const end = Math.min(bytes.length, from + bulk.left);
    const contentEnd = Math.min(end, from + bulk.left - 2);
    bulk.left -= end - from;
    this.#bytes += end - from;
    if (contentEnd > from && bulk.bytes <= storeLimits.valueBytes) {
      bulk.kept.push(Buffer.from(bytes.subarray(from, contentEnd)));
      bulk.keptBytes += contentEnd - from;
    }
    if (bulk.left === 0) this.#endBulk(bulk, bytes[end - 1]);
    return end;
  }

  #endBulk({ kind, bytes, kept, keptBytes }: Bulk, last: number | undefined): void {
    this.#bulk = undefined;
    if (last !== lineFeed) {
      this.#isBroken = true;
      return;
    }
    if (keptBytes < bytes)
      this.#value(
        notRead(`a value of ${bytes} bytes is not kept; at most ${storeLimits.valueBytes} are`),
        false,
      );
    else {
      const text = utf8Text(kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept));
      // `txt:` or `mkd:` before it says how it is meant.
      this.#value(kind === '=' ? text.slice(4) : text, kind === '!');
    }
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
      this.#end(value, isError, false);
      return;
    }
    outer.left -= 1;
    this.#keptBytes += sizeOf(value);
    if (this.#keptBytes > storeLimits.rowBytes || outer.items.length >= mostItems) outer.dropped += 1;
    else outer.items.push(isError ? { error: value } : value);
    if (outer.left === 0) this.#closeLists();
  }

  #closeLists(): void {
    const done = this.#open.pop();
    if (done === undefined) return;
    // Attributes belong to the value that follows them.
    if (done.kind === '|') return;
    const rest =
      done.dropped === 0 ? [] : [notRead(`only the first ${done.items.length} of the values are kept`)];
    const items = [...done.items, ...rest];
    const value = done.kind === '%' ? asMap(items, done.dropped > 0) : items;
    if (this.#open.length === 0) this.#end(value, false, done.kind === '>');
    else this.#value(value, false);
  }

  #end(value: unknown, isError: boolean, isPush: boolean): void {
    const bytes = this.#bytes;
    this.#bytes = 0;
    this.#keptBytes = 0;
    this.#onValue({ value, isError, isPush, bytes });
  }
}

const mostItems = 1_000;

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
function asMap(items: readonly unknown[], isCut: boolean): unknown {
  const pairs = items.flatMap((item, index) => (index % 2 === 0 ? [[item, items[index + 1]] as const] : []));
  const isPlain = !isCut && pairs.every(([key]) => typeof key === 'string');
  return isPlain && new Set(pairs.map(([key]) => key)).size === pairs.length
    ? Object.fromEntries(pairs)
    : pairs;
}
