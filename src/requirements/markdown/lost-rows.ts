/** Rows that a reader would take for part of a table and that no table has: told, because they would be lost silently. */
import { Problem } from '../../kernel/problem.ts';
import { type MarkdownOutline, type PlainLine, plainWords, rowOf } from './markdown-outline.ts';
import type { PositionOf } from './read-table-rows.ts';

export function lostRowProblems(
  { lines }: MarkdownOutline,
  known: readonly string[],
  at: PositionOf,
): readonly Problem[] {
  const shapes = new Set(known.map(shapeOf));
  return lines.flatMap((line) => {
    const found = lostRow(line, shapes) ?? htmlTable(line);
    if (found === undefined) return [];
    return [
      new Problem({
        code: 'requirement.bad-table',
        where: at(line.offset, Math.max(1, line.text.trimEnd().length)),
        ...found,
      }),
    ];
  });
}

type Told = Pick<Problem, 'what' | 'allowed' | 'next'>;

function lostRow({ text, line, offset }: PlainLine, shapes: ReadonlySet<string>): Told | undefined {
  if (!text.trimStart().startsWith('|')) return undefined;
  const { cells } = rowOf({ number: line, offset, text });
  const first = plainWords(cells[0]?.text ?? '');
  if (/^(?:.* )?id$/i.test(first))
    return {
      what: 'this looks like the head of a table, and no line of dashes follows it',
      allowed: 'a head, then a line such as |---|---|, then the rows',
      next: 'add the line of dashes, with as many columns as the head has',
    };
  if (!shapes.has(shapeOf(first))) return undefined;
  return {
    what: `the row of ${first} stands outside of every table`,
    allowed: 'the rows of a table directly below each other, without an empty line',
    next: 'remove what stands between it and the table',
  };
}

/** `INT-001` and `INT-002` have one shape. */
function shapeOf(id: string): string {
  return id.replaceAll(/\d+/g, '0');
}

function htmlTable({ text }: PlainLine): Told | undefined {
  if (!/<t[hd][^>]*>\s*(?:[\w ]+ )?id\s*<\/t[hd]>/i.test(text)) return undefined;
  return {
    what: 'this table is written in HTML, in which cells may be merged',
    allowed: 'a table of Markdown: | ID | Test | Required assertions |',
    next: 'write it with pipes, one row for each requirement',
  };
}
