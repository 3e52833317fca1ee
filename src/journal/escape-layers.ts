/** Undoes one layer of escapes in a text, and knows for each place of the result where it came from. Pure. */
import { createHash } from 'node:crypto';
import { steeringSequence } from '../kernel/printable.ts';
import { asBytes, asText, type EscapeKind, spellings } from './secret-forms.ts';

export interface EscapeLayer {
  readonly kind: EscapeKind | 'wrapped' | 'coloured';
  /** What every unit begins with. */
  readonly sign: string;
  readonly unit: RegExp;
  undo(unit: string): string;
}

export interface Unescaped {
  readonly text: string;
  /** Where the part was before. */
  before(start: number, end: number): readonly [start: number, end: number];
}

const afterRun = /[A-Za-z0-9+/_-]{40}\r?$/;

/** Every line has an end: most are known by a few characters before it. */
function mayFollowRun(text: string, at: number): boolean {
  for (let place = at - 2; place > at - 40; place -= 6) if (!isBase64(text.charCodeAt(place))) return false;
  return true;
}

function isBase64(code: number): boolean {
  const letter = code | 32;
  return (
    (letter >= 97 && letter <= 122) || (code >= 47 && code <= 57) || code === 43 || code === 45 || code === 95
  );
}

export const escapeLayers: readonly EscapeLayer[] = [
  {
    kind: 'percent',
    sign: '%',
    unit: /%[0-9a-fA-F]{2}/y,
    undo: (unit) => String.fromCharCode(Number.parseInt(unit.slice(1), 16)),
  },
  {
    kind: 'json',
    sign: '\\',
    unit: /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-3][0-7]{2}|[bfnrt]|[^\r\nA-Za-z0-9])/y,
    undo: undoBackslash,
  },
  {
    kind: 'html',
    sign: '&',
    unit: /&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);/y,
    undo: undoEntity,
  },
  {
    kind: 'wrapped',
    sign: '\n',
    unit: /\n[ \t]*(?=[A-Za-z0-9+/_=-])/y,
    undo: () => '',
  },
  {
    kind: 'coloured',
    sign: '\x1b',
    unit: new RegExp(steeringSequence, 'y'),
    undo: () => '',
  },
];

/** A unit of any layer, of which the end is missing. */
export const halfUnit = /(?:%[0-9a-fA-F]?|\\(?:u[0-9a-fA-F]{0,3}|x[0-9a-fA-F]?)?|&#?[0-9a-zA-Z]{0,6})$/;

const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function undoBackslash(unit: string): string {
  const sign = unit[1] as string;
  if (/\d/.test(sign)) return String.fromCharCode(Number.parseInt(unit.slice(1), 8));
  if (sign === 'x') return String.fromCharCode(Number.parseInt(unit.slice(2), 16));
  if (sign !== 'u') return letters[sign] ?? sign;
  return asBytes(unit.replaceAll(/\\u(....)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))));
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function undoEntity(unit: string): string {
  const name = unit.slice(1, -1);
  if (!name.startsWith('#')) return named[name] as string;
  const code = /^#[xX]/.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0x10ffff ? unit : asBytes(String.fromCodePoint(code));
}

/** Undefined when nothing in it matters: only what can be part of a form is undone. */
export function undoEscapes(
  text: string,
  layer: EscapeLayer,
  matters: ReadonlySet<string>,
): Unescaped | undefined {
  let plain = '';
  let from = 0;
  const counts = (char: string, at: number, end: number): boolean => {
    if (layer.kind === 'coloured') return matters.has(text.charAt(at - 1)) && matters.has(text.charAt(end));
    return char === '' || char === '\n' || char === '\r'
      ? afterRun.test(text.slice(Math.max(0, at - 41), at))
      : matters.has(char.charAt(0));
  };
  const after: number[] = [];
  const source: number[] = [];
  for (let at = text.indexOf(layer.sign); at >= 0; at = text.indexOf(layer.sign, Math.max(from, at + 1))) {
    if (layer.kind === 'wrapped' && !mayFollowRun(text, at)) continue;
    layer.unit.lastIndex = at;
    const unit = layer.unit.exec(text)?.[0];
    const char = unit === undefined ? undefined : layer.undo(unit);
    if (unit === undefined || char === undefined) continue;
    if (!counts(char, at, at + unit.length)) continue;
    const begin = layer.kind === 'wrapped' && text[at - 1] === '\r' ? at - 1 : at;
    plain += text.slice(from, begin) + char;
    from = at + unit.length;
    after.push(plain.length);
    source.push(from);
  }
  if (from === 0) return undefined;
  const place = (at: number): number => placeBefore(at, after, source);
  // What is left out after the last character is not part of it.
  const last = isLeftOut(layer) ? (end: number) => place(end - 1) + 1 : place;
  return { text: plain + text.slice(from), before: (start, end) => [place(start), last(end)] };
}

function isLeftOut({ kind }: EscapeLayer): boolean {
  return kind === 'wrapped' || kind === 'coloured';
}

function placeBefore(place: number, after: readonly number[], source: readonly number[]): number {
  const count = countUpTo(after, place);
  return count === 0 ? place : (source[count - 1] as number) + place - (after[count - 1] as number);
}

/** Of numbers in their order. */
export function countUpTo(numbers: readonly number[], most: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The name of the notation of the part; an unusual one has a mark, so that it stays different. */
export function nameSpelling(
  layer: EscapeLayer,
  text: string,
  { text: plain, before }: Unescaped,
  [start, end]: readonly [number, number],
): string {
  const part = asText(plain.slice(start, end));
  const source = text.slice(...before(start, end));
  const usual = spellings.find(([, kind, spell]) => kind === layer.kind && asBytes(spell(part)) === source);
  if (usual) return usual[0];
  // How each character is written, and nothing of which it is.
  const manner = Array.from({ length: end - start }, (_, index) => {
    const [from] = before(start + index, start + index + 1);
    const [to] = index + 1 < end - start ? before(start + index + 1, end) : [before(start, end)[1]];
    const unit = text.slice(from, to);
    return unit.length < 2 || isLeftOut(layer)
      ? unit.length
      : unit.replaceAll(/[0-9]/g, '0').replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A');
  });
  return `${layer.kind}~${markOf(manner.join())}`;
}

/** The same for the same notation, and must not reveal what was written. */
export function markOf(manner: string): string {
  return createHash('sha256').update(manner).digest('hex').slice(0, 8);
}
