/** A text that a regular expression accepts, for the simple expressions of checks. */

/** Undefined if none is found: look-arounds, back-references, contradictions. */
export function textThatFits(source: string, flags = ''): string | undefined {
  const text = readAlternatives(createReader(source));
  if (text === undefined) return undefined;
  try {
    return new RegExp(source, flags).test(text) ? text : undefined;
  } catch {
    return undefined; // an invalid expression matches nothing
  }
}

interface Reader {
  peek(): string | undefined;
  take(): string;
  /** Consumes what the expression matches from here on, if it does. */
  takeIf(expression: RegExp): string | undefined;
}

function createReader(source: string): Reader {
  let at = 0;
  return {
    peek: () => source[at],
    take: () => {
      at += 1;
      return source[at - 1] ?? '';
    },
    takeIf: (expression) => {
      const sticky = new RegExp(expression.source, 'y');
      sticky.lastIndex = at;
      const [found] = sticky.exec(source) ?? [];
      if (found !== undefined) at += found.length;
      return found;
    },
  };
}

/** The first of `a|b|c`; the others are skipped. */
function readAlternatives(reader: Reader): string | undefined {
  const texts = [readSequence(reader)];
  while (reader.peek() === '|') {
    reader.take();
    texts.push(readSequence(reader));
  }
  return texts.find((text) => text !== undefined);
}

function readSequence(reader: Reader): string | undefined {
  let text: string | undefined = '';
  for (let next = reader.peek(); next !== undefined && next !== '|' && next !== ')'; next = reader.peek()) {
    const atom = readAtom(reader);
    const times = readTimes(reader);
    text = text === undefined || atom === undefined ? undefined : text + atom.repeat(times);
  }
  return text;
}

function readAtom(reader: Reader): string | undefined {
  if (reader.takeIf(/\((?:\?:|\?<[A-Za-z]\w*>)?(?!\?)/) !== undefined) {
    const inner = readAlternatives(reader);
    reader.takeIf(/\)/);
    return inner;
  }
  if (reader.takeIf(/\(\?/) !== undefined) {
    readAlternatives(reader);
    reader.takeIf(/\)/);
    return undefined;
  }
  const characters = reader.takeIf(/\[(?:\\.|[^\]\\])*\]/);
  if (characters !== undefined) return fromClass(characters);
  const taken = reader.take();
  if (taken === '.') return 'x';
  if (taken === '^' || taken === '$') return '';
  return taken === '\\' ? fromEscape(reader.take(), reader) : taken;
}

const escapes: Readonly<Record<string, string>> = {
  d: '1',
  D: 'x',
  w: 'a',
  W: ' ',
  s: ' ',
  S: 'x',
  n: '\n',
  t: '\t',
  r: '\r',
  b: '',
  B: '',
};

function fromEscape(letter: string, reader: Reader): string | undefined {
  if (letter === 'u') return fromCode(reader.takeIf(/[0-9a-fA-F]{4}/));
  if (letter === 'x') return fromCode(reader.takeIf(/[0-9a-fA-F]{2}/));
  if (/[1-9]/.test(letter)) return undefined;
  return escapes[letter] ?? letter;
}

function fromCode(hex: string | undefined): string | undefined {
  return hex === undefined ? undefined : String.fromCharCode(Number.parseInt(hex, 16));
}

/** The first of these characters that is in the class. */
function fromClass(characters: string): string | undefined {
  const candidates = [...'a0A1b _-./:x"', ...characters.slice(1, -1)];
  try {
    const expression = new RegExp(`^${characters}$`);
    return candidates.find((candidate) => expression.test(candidate));
  } catch {
    return undefined; // a class such as `[z-a]`
  }
}

function readTimes(reader: Reader): number {
  const counted = reader.takeIf(/\{\d+(?:,\d*)?\}/);
  const sign = counted === undefined ? reader.takeIf(/[*+?]/) : undefined;
  if (counted !== undefined || sign !== undefined) reader.takeIf(/\?/);
  return counted === undefined ? 1 : Math.min(Number(counted.slice(1).split(/[,}]/)[0]), 1_000);
}
