/** Reads the text of an env file, in the form that the Compose Specification gives it. Pure. */
import { interpolate, type LookUp } from './interpolate.ts';

export interface DotenvFault {
  readonly offset: number;
  readonly length: number;
  readonly what: string;
  readonly next: string;
}

export interface Dotenv {
  readonly variables: ReadonlyMap<string, string>;
  readonly faults: readonly DotenvFault[];
}

/** `outer` knows the variables outside of the file, which are stronger in `${…}`, and what a name without a value means. */
export function parseDotenv(text: string, outer: LookUp): Dotenv {
  const variables = new Map<string, string>();
  const faults: DotenvFault[] = [];
  const lookUp: LookUp = (name) => outer(name) ?? variables.get(name);
  let at = 0;
  while (at < text.length) {
    const lineEnd = endOfLine(text, at);
    const line = text.slice(at, lineEnd);
    const key = keyIn(line);
    if (key === 'nothing') at = lineEnd + 1;
    else if ('what' in key) {
      faults.push({ ...key, offset: at + key.offset });
      at = lineEnd + 1;
    } else if (key.valueAt === undefined) {
      const inherited = outer(key.name);
      if (inherited !== undefined) variables.set(key.name, inherited);
      at = lineEnd + 1;
    } else {
      const value = valueAt(text, at + key.valueAt, lookUp);
      faults.push(...value.faults);
      variables.set(key.name, value.text);
      at = value.end + 1;
    }
  }
  return { variables, faults };
}

/** `format: raw`: everything after the first `=` is the value. */
export function parseRawEnv(text: string, outer: LookUp): Dotenv {
  const variables = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name = '', equals, value = ''] = /^\s*([^=\s]+)(=)?(.*)$/s.exec(line) ?? [];
    if (name === '' || name.startsWith('#')) continue;
    const given = equals ? value : outer(name);
    if (given !== undefined) variables.set(name, given);
  }
  return { variables, faults: [] };
}

interface Key {
  readonly name: string;
  /** In the line; absent where there is no value. */
  readonly valueAt?: number;
}

function keyIn(line: string): 'nothing' | Key | DotenvFault {
  const [, start = '', name = '', after = '', sign = ''] =
    /^(\s*(?:export[ \t]+)?)([\w.[\]-]*)([ \t]*)([=:]?)/.exec(line) ?? [];
  const rest = line.slice(start.length);
  if (rest.trim() === '' || rest.startsWith('#')) return 'nothing';
  const signAt = start.length + name.length + after.length;
  if (name !== '' && sign !== '') return { name, valueAt: signAt + 1 };
  if (name !== '' && (signAt === line.trimEnd().length || line.startsWith('#', signAt))) return { name };
  const wrong = line.slice(start.length).trimEnd();
  return {
    offset: start.length,
    length: Math.max(1, wrong.length),
    what: `\`${wrong.length > 40 ? `${wrong.slice(0, 40)}…` : wrong}\` does not begin with a name`,
    next: 'write NAME=value; a value of several lines needs quotes',
  };
}

interface Value {
  readonly text: string;
  /** Of the line in which it ends. */
  readonly end: number;
  readonly faults: readonly DotenvFault[];
}

function valueAt(text: string, start: number, lookUp: LookUp): Value {
  let from = start;
  while (text[from] === ' ' || text[from] === '\t') from += 1;
  const quote = text[from];
  if (quote === '"' || quote === "'") return quotedValue(text, from, quote, lookUp);
  const end = endOfLine(text, from);
  const line = text.slice(from, end);
  // At the very beginning of a value, `#` is its first letter.
  const comment = line.search(/\s#/);
  const plain = (comment < 0 ? line : line.slice(0, comment)).trimEnd();
  return { ...filledIn(plain, from, lookUp), end };
}

function quotedValue(text: string, from: number, quote: string, lookUp: LookUp): Value {
  let close = from + 1;
  while (close < text.length && text[close] !== quote) close += text[close] === '\\' ? 2 : 1;
  if (close >= text.length) {
    const end = endOfLine(text, from);
    const what = `the quote ${quote} is never closed`;
    return {
      text: '',
      end,
      faults: [{ offset: from, length: end - from, what, next: `end the value with ${quote}` }],
    };
  }
  const inside = text.slice(from + 1, close);
  const end = endOfLine(text, close);
  if (quote === "'") return { text: inside.replaceAll("\\'", "'"), end, faults: [] };
  return { ...filledIn(unescaped(inside), from + 1, lookUp), end };
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
  $: '$$',
};

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gs, (whole, letter: string) => escapes[letter] ?? whole);
}

function filledIn(text: string, offset: number, lookUp: LookUp): Omit<Value, 'end'> {
  const filled = interpolate(text, lookUp);
  return {
    text: filled.text,
    faults: filled.faults.map((fault) => ({ ...fault, offset: offset + fault.offset })),
  };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
