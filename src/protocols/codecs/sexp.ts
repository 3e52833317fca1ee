/** S-expressions, parsed and printed as plain data: property lists as maps, keywords with their colon, names in upper case. */
import { type AnyNumber, ExactNumber, exactNumber } from '../../kernel/exact-json.ts';
import { BrokenRule } from './codec.ts';
import { codecLimits } from './codec-limits.ts';

interface Item {
  readonly value: unknown;
  /** The name of a keyword, without its colon. */
  readonly keyword?: string;
}

interface OpenList {
  readonly items: Item[];
}

/** Keeps open lists on an explicit stack, so that deep nesting cannot overflow the call stack. */
export function parseSexp(text: string): unknown {
  const open: OpenList[] = [];
  let whole: Item | undefined;
  for (let token = readSexpToken(text, 0); token; token = readSexpToken(text, token.end)) {
    if (whole) throw notSexp(`something follows the expression at character ${token.start}`);
    if (token.kind === 'open') open.push(openList(open.length));
    else whole = place(token.kind === 'close' ? closeList(open.pop(), token) : atomOf(token), open);
  }
  if (open.length > 0) throw notSexp(`${open.length} lists are not closed`);
  if (!whole) throw notSexp('the frame contains no expression');
  return whole.value;
}

/** Into the innermost open list; when none is open, this is the whole expression. */
function place(item: Item, open: readonly OpenList[]): Item | undefined {
  const innermost = open.at(-1);
  if (!innermost) return item;
  innermost.items.push(item);
  return undefined;
}

function openList(depth: number): OpenList {
  if (depth >= codecLimits.depth) throw new BrokenRule('too-deep', `more than ${codecLimits.depth} levels`);
  return { items: [] };
}

/** A list with a keyword at every other place is a map; when a key repeats it stays a list, so that nothing is lost. */
function closeList(list: OpenList | undefined, token: SexpToken): Item {
  if (!list) throw notSexp(`a list is closed that was not opened, at character ${token.start}`);
  const { items } = list;
  const keys = items.filter((_, index) => index % 2 === 0).map(({ keyword }) => keyword);
  const isMap = items.length > 0 && items.length % 2 === 0 && keys.every((key) => key !== undefined);
  if (!isMap || new Set(keys).size < keys.length) return { value: items.map(({ value }) => value) };
  return { value: Object.fromEntries(keys.map((key, index) => [key, items[index * 2 + 1]?.value])) };
}

function atomOf({ kind, text, escaped }: SexpToken): Item {
  if (kind === 'string') return { value: text };
  if (text.startsWith(':') && text.length > 1) return { value: text, keyword: text.slice(1) };
  if (escaped) return { value: text };
  if (text === 'T') return { value: true };
  return { value: text === 'NIL' ? null : (numberOf(text) ?? text) };
}

/** Integers, floats with any exponent letter, and ratios. */
function numberOf(text: string): AnyNumber | undefined {
  if (/^[+-]?\d+\.?$/.test(text)) return exactNumber(text.replace(/\.$/, ''));
  if (/^[+-]?(?:\d*\.\d+|\d+(?:\.\d*)?(?=[ESFDL]))(?:[ESFDL][+-]?\d+)?$/.test(text)) {
    return exactNumber(text.replace(/[SFDL]/, 'E'));
  }
  const [, top, bottom] = /^([+-]?\d+)\/(\d+)$/.exec(text) ?? [];
  const ratio = Number(top) / Number(bottom);
  return Number.isFinite(ratio) ? ratio : undefined;
}

function notSexp(detail: string): BrokenRule {
  return new BrokenRule('not-sexp', detail);
}

interface SexpToken {
  readonly kind: 'open' | 'close' | 'string' | 'name';
  /** A string without its quotes and escapes; a name in upper case except where it was escaped. */
  readonly text: string;
  /** True for a name with `|…|` or a backslash in it, which is never a number, t or nil. */
  readonly escaped: boolean;
  readonly start: number;
  readonly end: number;
}

/** What Lisp readers take as syntax of their own (quotes, comments, `#<…>`) is not data. */
const foreignSyntax = "'`,;#";
const endsName = /[\s()"'`,;#]/u;

/** Undefined at the end of the text. Walks by hand: an expression over a text of megabytes can exhaust its stack. */
function readSexpToken(text: string, from: number): SexpToken | undefined {
  let start = from;
  while (start < text.length && /\s/.test(text.charAt(start))) start += 1;
  const first = text.charAt(start);
  if (first === '') return undefined;
  if (first === '(' || first === ')') {
    return { kind: first === '(' ? 'open' : 'close', text: first, escaped: false, start, end: start + 1 };
  }
  if (first === '"') {
    const { text: content, end } = readEscaped(text, start + 1, '"');
    return { kind: 'string', text: content, escaped: false, start, end };
  }
  if (foreignSyntax.includes(first)) throw unreadable(text, start, 'is not data');
  return readName(text, start);
}

function readName(text: string, start: number): SexpToken {
  let name = '';
  let plainFrom = start;
  let at = start;
  let escaped = false;
  while (at < text.length && !endsName.test(text.charAt(at))) {
    const letter = text.charAt(at);
    if (letter !== '|' && letter !== '\\') {
      at += 1;
      continue;
    }
    const part = letter === '|' ? readEscaped(text, at + 1, '|') : readSingle(text, at + 1);
    name += upperCase(text.slice(plainFrom, at)) + part.text;
    at = part.end;
    plainFrom = at;
    escaped = true;
  }
  return { kind: 'name', text: name + upperCase(text.slice(plainFrom, at)), escaped, start, end: at };
}

interface Part {
  readonly text: string;
  readonly end: number;
}

/** Up to the closing mark; a backslash takes the next character as it is, so that `\n` is the letter n. */
function readEscaped(text: string, from: number, mark: '"' | '|'): Part {
  const parts: string[] = [];
  let plainFrom = from;
  for (let at = from; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter !== mark && letter !== '\\') continue;
    parts.push(text.slice(plainFrom, at));
    if (letter === mark) return { text: parts.join(''), end: at + 1 };
    at += 1;
    plainFrom = at;
  }
  throw unreadable(text, from - 1, `has no closing ${mark}`);
}

function readSingle(text: string, from: number): Part {
  const code = text.codePointAt(from);
  if (code === undefined) throw unreadable(text, from - 1, 'escapes nothing');
  const letter = String.fromCodePoint(code);
  return { text: letter, end: from + letter.length };
}

/** Character by character, as a Lisp reader does: a letter whose upper case is two letters stays as it is. */
function upperCase(text: string): string {
  return [...text]
    .map((letter) => ([...letter.toUpperCase()].length === 1 ? letter.toUpperCase() : letter))
    .join('');
}

function unreadable(text: string, at: number, why: string): BrokenRule {
  const shown = JSON.stringify(text.slice(at, at + codecLimits.shownChars));
  return new BrokenRule('not-sexp', `${shown} at character ${at} ${why}`);
}

/** A name that a Lisp reader takes as one plain token. */
const plainName = /^[^\s()"'`,;|\\#:]+$/u;

/**
 * What s-expressions cannot distinguish comes back as its twin: false and null are both `nil`, an empty map is an empty
 * list, and a list in which every other element is a keyword reads as a map.
 */
export function printSexp(value: unknown, depth = 0): string {
  if (value === null || value === false) return 'nil';
  if (value === true) return 't';
  if (typeof value === 'string') return printText(value);
  if (value instanceof ExactNumber) return value.number;
  if (typeof value === 'number' || typeof value === 'bigint') return printNumber(value);
  if (typeof value !== 'object')
    throw new BrokenRule('not-encodable', `${typeof value} cannot be written as an s-expression`);
  if (depth >= codecLimits.depth) throw new BrokenRule('too-deep', `more than ${codecLimits.depth} levels`);
  if (Array.isArray(value)) return `(${value.map((item) => printSexp(item, depth + 1)).join(' ')})`;
  return printMap(value, depth);
}

function printMap(map: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(map);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new BrokenRule('not-encodable', `a ${map.constructor.name} cannot be written as an s-expression`);
  }
  const entries = Object.entries(map).filter(([, value]) => value !== undefined);
  return `(${entries.map(([key, value]) => `${printKey(key)} ${printSexp(value, depth + 1)}`).join(' ')})`;
}

function printKey(key: string): string {
  if (plainName.test(key)) return `:${key}`;
  throw new BrokenRule('not-encodable', `the key ${JSON.stringify(key)} is not a keyword`);
}

/** Only quotes and backslashes are escaped; a line break is printed as it is. */
function printText(text: string): string {
  if (text.startsWith(':') && plainName.test(text.slice(1))) return text;
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** A whole number beyond the safe range is printed as the float that it is. */
function printNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return String(value);
  if (!Number.isFinite(value))
    throw new BrokenRule('not-encodable', `${value} cannot be written as an s-expression`);
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}
