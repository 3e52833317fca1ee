/** Cuts SQL into tokens as the lexer of PostgreSQL does, as far as it takes to find where a statement ends. Pure. */

export interface SqlToken {
  /** `blank` for spaces and comments. */
  readonly kind: 'blank' | 'quoted' | 'word' | 'other';
  readonly from: number;
  readonly to: number;
}

/** Where `escapes`, a backslash escapes in every string, as with `standard_conforming_strings` off. */
export function* sqlTokens(text: string, escapes = false): Generator<SqlToken> {
  for (let at = 0; at < text.length; ) {
    const [kind, to] = tokenAt(text, at, escapes);
    yield { kind, from: at, to };
    at = to;
  }
}

function tokenAt(text: string, at: number, escapes: boolean): readonly [SqlToken['kind'], number] {
  if (text.startsWith('/*', at)) return ['blank', endOfComment(text, at)];
  const blank = endOf(blanks, text, at);
  if (blank !== undefined) return ['blank', blank];
  const quoted = endOf(escapes ? escapedStrings : strings, text, at);
  if (quoted !== undefined) return ['quoted', quoted];
  const word = endOf(words, text, at);
  if (word !== undefined) return ['word', word];
  const dollar = endOf(dollars, text, at);
  if (dollar === undefined) return ['other', at + 1];
  const close = text.indexOf(text.slice(at, dollar), dollar);
  return ['quoted', close < 0 ? text.length : close + dollar - at];
}

const blanks = /[ \t\n\r\f\v]+|--[^\n\r]*/y;
/** Of every form that has no end, all the rest is a part. An E string may go on in the next line. */
const escaped = String.raw`'[^'\\]*(?:(?:''|\\[\s\S]?)[^'\\]*)*(?:'|$)`;
const eString = String.raw`[eE]${escaped}(?:[ \t\f\v]*[\n\r][ \t\n\r\f\v]*${escaped})*`;
const name = `"[^"]*(?:"|$)`;
const strings = new RegExp(`${eString}|'[^']*(?:'|$)|${name}`, 'y');
const escapedStrings = new RegExp(`${eString}|${escaped}|${name}`, 'y');
const words = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const dollars = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;

function endOf(form: RegExp, text: string, at: number): number | undefined {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : undefined;
}

/** Comments are nested. */
function endOfComment(text: string, from: number): number {
  const border = /\/\*|\*\//g;
  border.lastIndex = from;
  let depth = 0;
  for (let found = border.exec(text); found !== null; found = border.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return border.lastIndex;
  }
  return text.length;
}
