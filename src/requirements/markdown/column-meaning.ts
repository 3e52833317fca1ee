/** What the columns of a table mean, by the words at their heads. */
import type { Table } from './markdown-outline.ts';
import { plainWords } from './markdown-outline.ts';

export type ColumnMeaning =
  | 'id'
  | 'title'
  | 'text'
  | 'priority'
  | 'method'
  | 'antiPattern'
  | 'source'
  | 'deferred'
  | 'dependsOn'
  | 'failPath'
  | 'other';

const meanings: ReadonlyArray<readonly [meaning: Exclude<ColumnMeaning, 'other'>, words: RegExp]> = [
  ['id', /^(?:.* )?id$/],
  ['priority', /^(?:priority|prio)$/],
  ['antiPattern', /\breject|\banti-? ?pattern/],
  ['method', /\bhow to\b|^(?:method|approach|implementation)$/],
  ['title', /^(?:title|name|test|test name|scenario|summary|feature)$/],
  [
    'text',
    /^(?:text|requirements?|description|statement|(?:required )?assertions?|must|expected|acceptance(?: criteria)?|rule|behaviou?r)$/,
  ],
  ['source', /^(?:source|spec|origin|reference)$/],
  ['deferred', /^(?:deferred|status|state)$/],
  ['dependsOn', /^(?:depends ?on|dependencies|after|requires|blocked by)$/],
  ['failPath', /^fail(?:ing|ure)?[- ]?(?:path|side)s?(?: required)?$/],
];

/** Heads of columns that are not part of a requirement. */
const besides =
  /^(?:trials?|tests|owner|notes?|comments?|links?|files?|evidence|covered by|coverage|date|version|since|tags?|area|component|estimate)$/;

/** Undefined for a table without ids. `isAddition`: its ids are known already, so that nothing is guessed from a column without a known head. */
export function columnsOf({ header }: Table, isAddition: boolean) {
  const heads = header.cells.map(({ text }) => plainWords(text).toLowerCase().replaceAll(/\s+/g, ' '));
  const named = heads.map(meaningOf).map((meaning, index, all) => {
    return all.indexOf(meaning) === index ? meaning : 'other';
  });
  if (!named.includes('id')) return undefined;
  const whole = named.includes('text') || isAddition ? named : withGuesses(named, heads);
  return {
    meanings: whole,
    /** Unknown heads of columns. */
    unused: header.cells.flatMap(({ text }, index) => (whole[index] === 'other' ? [plainWords(text)] : [])),
  };
}

function meaningOf(head: string): ColumnMeaning {
  return meanings.find(([, words]) => words.test(head))?.[0] ?? 'other';
}

/** Of two columns without a known head the first is a title and the second says what must be true; of one, it is that. */
function withGuesses(named: readonly ColumnMeaning[], heads: readonly string[]): readonly ColumnMeaning[] {
  const unknown = named.flatMap((meaning, index) =>
    meaning === 'other' && !besides.test(heads[index] ?? '') ? [index] : [],
  );
  const [first, second] = unknown;
  const hasTitle = named.includes('title');
  if (first === undefined) return named.map((meaning) => (meaning === 'title' ? 'text' : meaning));
  const textAt = hasTitle || second === undefined ? first : second;
  return named.map((meaning, index) => {
    if (index === textAt) return 'text';
    return index === first && !hasTitle ? 'title' : meaning;
  });
}
