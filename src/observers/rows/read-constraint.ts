/** What a CHECK of PostgreSQL says of its one column, as far as it is understood; the rest allows anything. Pure. */
import type { DeclaredField } from '../../journal/declared-field.ts';
import { defined } from '../../kernel/defined.ts';

type Bounds = Omit<DeclaredField, 'type' | 'form'>;

/** `definition` is what `pg_get_constraintdef` prints: `CHECK ((seats >= 0))`. */
export function readConstraint(definition: string, column: string): Bounds {
  if (/\bE'/.test(definition)) return {};
  const texts: string[] = [];
  const expression = definition
    .replace(/^CHECK /, '')
    .replaceAll(/'(-[\d.]+)'::(?:smallint|integer|bigint|numeric|real|double precision)/g, '$1')
    .replaceAll(/'((?:[^']|'')*)'/g, (_, text: string) => `$${texts.push(text.replaceAll("''", "'")) - 1}`)
    .replace(/ NO INHERIT$/, '')
    .replaceAll(casts, '');
  const names = [column, `"${column.replaceAll('"', '""')}"`, 'VALUE'];
  return readAll(expression, { names, texts });
}

const casts =
  /::(?:character varying|bit varying|double precision|(?:timestamp|time)(?:\(\d\))? with(?:out)? time zone|(?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?)(?:\(\d+(?:,\d+)?\))?(?:\[\])?/g;

/** Texts stand in the expression as `$0`, `$1` … */
interface Known {
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

function readAll(expression: string, known: Known): Bounds {
  const bare = withoutParentheses(expression);
  const alternatives = splitOn(bare, ' OR ');
  if (alternatives.length > 1) return anyOf(alternatives, known);
  const parts = splitOn(bare, ' AND ');
  return parts.length > 1
    ? Object.assign({}, ...parts.map((part) => readAll(part, known)))
    : readOne(bare, known);
}

/** Only alternatives that list values; that null is allowed is no news. */
function anyOf(alternatives: readonly string[], known: Known): Bounds {
  const isNull = (part: string): boolean => {
    const [, name] = /^(.+) IS NULL$/.exec(withoutParentheses(part)) ?? [];
    return name !== undefined && known.names.includes(name);
  };
  const others = alternatives.filter((part) => !isNull(part)).map((part) => readAll(part, known));
  const [first] = others;
  if (first !== undefined && others.length === 1) {
    const { always: _, ...bounds } = first;
    return bounds;
  }
  const values = others.map((bounds) => (Object.keys(bounds).length === 1 ? bounds.values : undefined));
  return values.every((some) => some !== undefined) ? { values: values.flat() } : {};
}

function readOne(part: string, known: Known): Bounds {
  const [, notNull] = /^(.+) IS NOT NULL$/.exec(part) ?? [];
  if (notNull !== undefined) return isColumn(notNull, known) ? { always: true } : {};
  const [, name = '', list] = /^(.+) = ANY \(+ARRAY\[(.*)\]\)+$/.exec(part) ?? [];
  if (list !== undefined) {
    const values = list.split(', ').map((one) => literal(one, known));
    return isColumn(name, known) && values.every((value) => value !== undefined) ? { values } : {};
  }
  const [, left = '', operator = '', right = ''] = /^(.+?) (>=|<=|<>|>|<|=) (.+)$/.exec(part) ?? [];
  const [, counted] = /^(?:char_|character_)?length\((.+)\)$/.exec(left) ?? [];
  const value = literal(right, known);
  if (value === undefined || !isColumn(counted ?? left, known)) return {};
  if (operator === '=') return counted === undefined ? { values: [value] } : {};
  if (operator === '<>') return counted === undefined && value === '' ? { leastChars: 1 } : {};
  if (typeof value !== 'number') return {};
  return counted === undefined ? bound(operator, value) : chars(operator, value);
}

function bound(operator: string, value: number): Bounds {
  const key = { '>=': 'least', '<=': 'most', '>': 'above', '<': 'below' }[operator];
  return key === undefined ? {} : { [key]: value };
}

function chars(operator: string, value: number): Bounds {
  const { least, most, above, below } = bound(operator, value);
  return defined({
    leastChars: above === undefined ? least : above + 1,
    mostChars: below === undefined ? most : below - 1,
  });
}

function isColumn(text: string, { names }: Known): boolean {
  return names.includes(withoutParentheses(text));
}

function literal(text: string, { texts }: Known): string | number | undefined {
  const bare = withoutParentheses(text);
  const [, place] = /^\$(\d+)$/.exec(bare) ?? [];
  if (place !== undefined) return texts[Number(place)];
  return /^-?\d+(?:\.\d+)?$/.test(bare) ? Number(bare) : undefined;
}

function withoutParentheses(text: string): string {
  const bare = text.trim();
  return bare.startsWith('(') && closes(bare) === bare.length - 1
    ? withoutParentheses(bare.slice(1, -1))
    : bare;
}

/** Where the parenthesis at the beginning is closed. */
function closes(text: string): number {
  let depth = 0;
  return [...text].findIndex((char) => {
    depth += depthOf(char);
    return depth === 0;
  });
}

function depthOf(char: string): number {
  return '(['.includes(char) ? 1 : ')]'.includes(char) ? -1 : 0;
}

/** Outside of parentheses. */
function splitOn(text: string, word: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    depth += depthOf(text.charAt(at));
    if (depth > 0 || !text.startsWith(word, at)) continue;
    parts.push(text.slice(from, at));
    from = at + word.length;
  }
  return [...parts, text.slice(from)];
}
