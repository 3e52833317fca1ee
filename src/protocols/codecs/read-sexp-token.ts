/** Cuts the next token from the text of an s-expression. */
import { BrokenRule } from './codec.ts';
import { codecLimits } from './codec-limits.ts';

export interface SexpToken {
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
export function readSexpToken(text: string, from: number): SexpToken | undefined {
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
