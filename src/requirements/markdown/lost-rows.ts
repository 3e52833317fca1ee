/** Reports what a reader would take for a requirement outside of every table: it would be lost silently. */
import type { Problem } from '../../kernel/problem.ts';
import {
  badTable,
  type MarkdownOutline,
  type PlainLine,
  plainWords,
  type Row,
  type Table,
} from './markdown-outline.ts';
import type { PositionOf } from './read-table-rows.ts';

export function lostRowProblems(
  { lines, unclosed }: MarkdownOutline,
  known: readonly string[],
  at: PositionOf,
): readonly Problem[] {
  const shapes = new Set(known.map(shapeOf));
  const lost = lines.flatMap((line) => {
    const found = lostRow(line, shapes) ?? htmlTable(line);
    if (found === undefined) return [];
    const where = at(line.offset, Math.max(1, line.text.trimEnd().length));
    return [badTable(where, found.what, found.allowed, found.next)];
  });
  return [...lost, ...unclosed.map((offset) => unclosedComment(offset, at))];
}

/** Rows with ids in a table whose head has no column of ids. */
export function rowsWithoutHead(table: Table, known: readonly string[]): readonly Row[] {
  const shapes = new Set(known.map(shapeOf));
  const ids = table.rows.map(({ cells }) => plainWords(cells[0]?.text ?? ''));
  if (ids.length > 0 && ids.every((id) => /^[A-Z]/.test(id) && looksLikeId.test(id))) return table.rows;
  return table.rows.filter((_row, index) => hasDigits(ids[index]) && shapes.has(shapeOf(ids[index] ?? '')));
}

/** `INT-002`, with any letters. */
const looksLikeId = /^[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*-\d+$/;

type ProblemText = Pick<Problem, 'what' | 'allowed' | 'next'>;

function lostRow({ text }: PlainLine, shapes: ReadonlySet<string>): ProblemText | undefined {
  const [lead = ''] = /^\s*(?:(?:>|[-*+]\s|\d+[.)]\s)\s*)*/.exec(text) ?? [];
  const row = text.slice(lead.length);
  if (!/(?<!\\)\|/.test(row)) return undefined;
  const first = plainWords(/^\|?((?:\\.|[^|\\])*)/.exec(row)?.[1] ?? '');
  const isHead = (row.startsWith('|') ? /^(?:.* )?id$/i : /^(?:\w+ )?id$/i).test(first);
  const isRow =
    looksLikeId.test(first) || (shapes.has(shapeOf(first)) && (row.startsWith('|') || hasDigits(first)));
  if (!isHead && !isRow) return undefined;
  if (lead.trim() !== '')
    return {
      what: `${isHead ? 'the head of a table' : `the row of ${first}`} is in a quote or a list, in which no table is read`,
      allowed: 'tables whose lines begin with a pipe, or with a cell',
      next: 'take the table out of the quote or the list; an example belongs in a block of code',
    };
  if (isHead)
    return {
      what: 'this looks like the head of a table, and no line of dashes follows it',
      allowed: 'a head, then a line such as |---|---|, then the rows',
      next: 'add the line of dashes, with as many columns as the head has',
    };
  return {
    what: `the row of ${first} is outside of every table`,
    allowed: 'the rows of a table directly below each other, without an empty line',
    next: 'remove what is between it and the table',
  };
}

function hasDigits(id: string | undefined): boolean {
  return /\d/.test(id ?? '');
}

/** `INT-001` and `INT-002` have one shape. */
function shapeOf(id: string): string {
  return id.replaceAll(/\d+/g, '0');
}

function htmlTable({ text }: PlainLine): ProblemText | undefined {
  if (!/<t[hd][^>]*>\s*(?:[\w ]+ )?id\s*<\/t[hd]>/i.test(text)) return undefined;
  return {
    what: 'this table is written in HTML, in which cells may be merged',
    allowed: 'a table of Markdown: | ID | Test | Required assertions |',
    next: 'write it with pipes, one row for each requirement',
  };
}

function unclosedComment(offset: number, at: PositionOf): Problem {
  return badTable(
    at(offset, '<!--'.length),
    'a comment begins here and is never closed, so that it is unclear what it should hide',
    '<!-- a comment -->; in a row of a table it ends in that row',
    'close it with -->, or write `<!--` as code where it is meant as itself',
  );
}
