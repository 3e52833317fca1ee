/** S-expressions as data: parsed from untrusted input, and printed. */

/** `:user-input` is the keyword USER-INPUT; a text is never mistaken for one. */
export class Keyword {
  readonly name: string;

  constructor(name: string) {
    this.name = name.toUpperCase();
  }
}

export type Value = null | true | number | string | Keyword | readonly Value[];

/** What can be printed: a map becomes a property list, and what is undefined is left out of it. */
export type Printable =
  | Value
  | boolean
  | readonly Printable[]
  | { readonly [key: string]: Printable | undefined };

export class NotSexp extends Error {}

const deepest = 64;
const token = /\s*(?:([()])|"([^"\\]*(?:\\.[^"\\]*)*)"|([^\s()"'`,;|\\#]+))/suy;

export const keyword = (name: string): Keyword => new Keyword(name);

export function readSexp(text: string): Value {
  const open: Value[][] = [];
  let whole: Value | undefined;
  const end = text.trimEnd().length;
  let at = 0;
  while (at < end) {
    if (whole !== undefined) throw new NotSexp('something follows the expression');
    token.lastIndex = at;
    const [found, bracket, quoted, atom] = token.exec(text) ?? [];
    if (found === undefined) throw new NotSexp(`character ${at} begins nothing that is known`);
    at += found.length;
    if (bracket === '(') {
      if (open.length >= deepest) throw new NotSexp(`lists are nested deeper than ${deepest}`);
      open.push([]);
      continue;
    }
    const value = bracket === ')' ? open.pop() : (withoutEscapes(quoted) ?? readAtom(atom ?? ''));
    if (value === undefined) throw new NotSexp('a list is closed that was not opened');
    const innermost = open.at(-1);
    if (innermost) innermost.push(value);
    else whole = value;
  }
  if (open.length > 0) throw new NotSexp(`${open.length} lists are not closed`);
  if (whole === undefined) throw new NotSexp('there is no expression');
  return whole;
}

function withoutEscapes(quoted: string | undefined): string | undefined {
  return quoted?.replaceAll(/\\(.)/gsu, '$1');
}

function readAtom(atom: string): Value {
  if (atom.startsWith(':') && atom.length > 1) return new Keyword(atom.slice(1));
  const upper = atom.toUpperCase();
  if (upper === 'NIL') return null;
  if (upper === 'T') return true;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(atom) ? Number(atom) : upper;
}

export function printSexp(value: Printable): string {
  if (value === null || value === false) return 'nil';
  if (value === true) return 't';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
  if (value instanceof Keyword) return `:${value.name}`;
  if (isList(value)) return `(${value.map(printSexp).join(' ')})`;
  const entries = Object.entries(value as Record<string, Printable | undefined>);
  const pairs = entries.flatMap(([key, inner]) =>
    inner === undefined ? [] : [`:${key} ${printSexp(inner)}`],
  );
  return `(${pairs.join(' ')})`;
}

function isList(value: Printable): value is readonly Printable[] {
  return Array.isArray(value);
}
