/** All ways in which a string of JSON can hold a text, for a search in the database. Pure. */

/** Longer ones are told apart by their beginning, since an expression must not grow without end. */
const mostCharacters = 300;

/** A regular expression, for PostgreSQL and for JavaScript. */
export function jsonSpellings(text: string): string {
  return [...text]
    .slice(0, mostCharacters)
    .map((character) => `(?:${spellingsOf(character).join('|')})`)
    .join('');
}

const short = new Map(
  Object.entries({ '"': '"', '\\': '\\\\', '/': '/', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }),
);

function spellingsOf(character: string): readonly string[] {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const byNumber = units.map((unit) => `\\\\u${hexDigits(unit)}`).join('');
  const letter = short.get(character);
  // In a string, neither of these can be without an escape, nor can a control character.
  const isEscaped = character === '"' || character === '\\' || (units[0] ?? 0) < 0x20;
  return [
    ...(isEscaped ? [] : [/[\w\s]|[^\0-\x7f]/.test(character) ? character : `\\${character}`]),
    ...(letter === undefined ? [] : [`\\\\${letter}`]),
    byNumber,
  ];
}

function hexDigits(unit: number): string {
  return unit
    .toString(16)
    .padStart(4, '0')
    .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
