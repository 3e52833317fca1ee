/** Texts of which at least one is in everything that a regular expression can match; none where not sure. Pure. */

/** Undefined when no such texts are known: every line has to be tried then. */
export function requiredTexts(source: string): readonly string[] | undefined {
  const reading: Reading = { source, at: 0 };
  try {
    const texts = readAlternatives(reading);
    return reading.at === source.length ? texts : undefined;
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

/** From rare in logs to common: the search for a text stops at each character that is like its first. */
const commonness = [/[A-Z]/, /[^\w\s]/, /[bfgjkpqvwxyz]/, /[a-z_]/, /\d/, /\s/];

/** The part of a required text that is found fastest; what holds for the whole holds for the part. */
export function quickestPart(text: string): string {
  const starts = Array.from({ length: Math.max(1, text.length - 2) }, (_, at) => at);
  const rank = (at: number): number => commonness.findIndex((kind) => kind.test(text[at] ?? ' '));
  const best = starts.reduce((first, at) => (rank(at) < rank(first) ? at : first), 0);
  return text.slice(best);
}

class NotUnderstood extends Error {}

interface Reading {
  readonly source: string;
  at: number;
}

/** What one piece of an expression demands. */
type Piece =
  | { readonly kind: 'character'; readonly text: string }
  | { readonly kind: 'one of'; readonly texts: readonly string[] }
  /** Something that need not be there, or that is not known. */
  | { readonly kind: 'gap' }
  /** `^`, `$`, `\b`: takes no room. */
  | { readonly kind: 'mark' };

const gap: Piece = { kind: 'gap' };

function readAlternatives(reading: Reading): readonly string[] | undefined {
  const found: (readonly string[] | undefined)[] = [readSequence(reading)];
  while (reading.source[reading.at] === '|') {
    reading.at += 1;
    found.push(readSequence(reading));
  }
  const known = found.filter((texts) => texts !== undefined);
  return known.length === found.length ? [...new Set(known.flat())] : undefined;
}

/** The most selective requirement of consecutive pieces: the one whose shortest text is longest. */
function readSequence(reading: Reading): readonly string[] | undefined {
  let best: readonly string[] | undefined;
  let run = '';
  const offer = (texts: readonly string[]): void => {
    if (shortest(texts) > (best ? shortest(best) : 0)) best = texts;
  };
  while (reading.at < reading.source.length && !'|)'.includes(reading.source[reading.at] as string)) {
    const piece = readPiece(reading);
    const times = readTimes(reading);
    if (piece.kind === 'character' && times !== 'perhaps') run += piece.text;
    if (piece.kind === 'one of' && times !== 'perhaps') offer(piece.texts);
    if (piece.kind === 'mark' || (piece.kind === 'character' && times === 'once')) continue;
    if (run !== '') offer([run]);
    // The end of `ab+` is a b, and what follows it may be another one: a new run begins.
    run = '';
  }
  if (run !== '') offer([run]);
  return best;
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map((text) => text.length));
}

function readPiece(reading: Reading): Piece {
  const character = reading.source[reading.at] as string;
  reading.at += 1;
  if (character === '(') return readGroup(reading);
  if (character === '[') return readClass(reading);
  if (character === '\\') return readEscape(reading);
  if (character === '^' || character === '$') return { kind: 'mark' };
  if (character === '.') return gap;
  if ('*+?{'.includes(character)) throw new NotUnderstood();
  return character.charCodeAt(0) < 0x80 ? { kind: 'character', text: character } : gap;
}

function readGroup(reading: Reading): Piece {
  const opening = /^\?(?::|<?[=!]|<[A-Za-z_]\w*>)/.exec(reading.source.slice(reading.at))?.[0];
  if (opening === undefined && reading.source[reading.at] === '?') throw new NotUnderstood();
  reading.at += opening?.length ?? 0;
  const texts = readAlternatives(reading);
  if (reading.source[reading.at] !== ')') throw new NotUnderstood();
  reading.at += 1;
  // What is only looked at takes no room, and its texts may be those that must not be there.
  if (opening && /[=!]$/.test(opening)) return { kind: 'mark' };
  return texts ? { kind: 'one of', texts } : gap;
}

function readClass(reading: Reading): Piece {
  const whole = /^(?:[^\]\\]|\\[\s\S])*\]/.exec(reading.source.slice(reading.at))?.[0];
  if (whole === undefined) throw new NotUnderstood();
  reading.at += whole.length;
  return gap;
}

function readEscape(reading: Reading): Piece {
  const character = reading.source[reading.at] ?? '';
  reading.at += 1;
  if (character === 'b' || character === 'B') return { kind: 'mark' };
  if ('dDwWsS'.includes(character) && character !== '') return gap;
  // Other letters and digits have a meaning of their own, and some take what follows with them.
  if (character === '' || /[\w\u0080-\uffff]/.test(character)) throw new NotUnderstood();
  return { kind: 'character', text: character };
}

function readTimes(reading: Reading): 'once' | 'often' | 'perhaps' {
  const rest = reading.source.slice(reading.at);
  const times = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(rest);
  if (!times) {
    if (rest.startsWith('{')) throw new NotUnderstood();
    return 'once';
  }
  reading.at += times[0].length;
  const isPerhaps = times[0].startsWith('*') || times[0].startsWith('?') || Number(times[1] ?? 1) === 0;
  return isPerhaps ? 'perhaps' : 'often';
}
