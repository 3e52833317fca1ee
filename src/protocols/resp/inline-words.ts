/** The words of a command on one line, split as Redis does it. Pure. */
import { utf8Text } from '../../kernel/utf8-text.ts';

/** Of a line in latin1; undefined where a quote has no end, or no blank behind it: Redis refuses that. */
export function inlineWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  for (let at = afterBlanks(line, 0); at < line.length; at = afterBlanks(line, at)) {
    let word = '';
    while (at < line.length && !blanks.includes(line[at] as string)) {
      const [piece] = matchAt(pieces, line, at) ?? [];
      if (piece === undefined) return undefined;
      at += piece.length;
      word += plain(piece);
    }
    words.push(utf8Text(Buffer.from(word, 'latin1')));
  }
  return words;
}

const blanks = ' \t\n\v\f\r\0';
/** What is not quoted, or one that is: `\xff`, `\n` or any other character escaped in double quotes, a quote alone in single ones. */
const pieces =
  /[^ \t\n\v\f\r\0"']+|"(?:[^"\\]|\\.)*"(?![^ \t\n\v\f\r\0])|'(?:[^'\\]|\\'|\\(?!'))*'(?![^ \t\n\v\f\r\0])/sy;

function afterBlanks(line: string, from: number): number {
  let at = from;
  while (at < line.length && blanks.includes(line[at] as string)) at += 1;
  return at;
}

function matchAt(sticky: RegExp, line: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(line);
}

function plain(piece: string): string {
  const inside = piece.slice(1, -1);
  if (piece.startsWith("'")) return inside.replaceAll("\\'", "'");
  return piece.startsWith('"') ? inside.replaceAll(/\\(?:x([\da-f]{2})|(.))/gis, unescaped) : piece;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['a', '\x07'],
]);

function unescaped(_: string, hex: string | undefined, character = ''): string {
  return hex === undefined
    ? (escapes.get(character) ?? character)
    : String.fromCharCode(Number.parseInt(hex, 16));
}
