/** Reads the requirements that stand in the tables of a Markdown file; what cannot be read is told with its row, never left out. */
import path from 'node:path';
import { Problem, Problems } from '../../kernel/problem.ts';
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import { sortProblems } from '../../system/check/sort-problems.ts';
import { failWordIn } from '../fail-words.ts';
import { sourceLink } from '../read-yaml-requirements.ts';
import type { PlacedRequirement, Requirement } from '../requirement.ts';
import { deferredInLists } from './deferral-marks.ts';
import { lostRowProblems } from './lost-rows.ts';
import { markdownOutline } from './markdown-outline.ts';
import { type MergedRow, mergeRows } from './merge-rows.ts';
import { type ReadRows, readTableRows } from './read-table-rows.ts';

export interface MarkdownRequirements {
  readonly placed: readonly PlacedRequirement[];
  /** The heading under which each stands, where there is one. */
  readonly headings: ReadonlyMap<string, string>;
  /** What stands in its tables and was not taken over. */
  readonly notes: readonly string[];
}

/** `folder` is that of the config; `file` is absolute. */
export function readMarkdownRequirements(file: string, text: string, folder: string): MarkdownRequirements {
  const outline = markdownOutline(text);
  const shown = path.relative(folder, file);
  const at = (offset: number, length: number): SourcePosition => positionAt(file, text, offset, length);
  const read = readTableRows(outline.tables, at);
  const merged = mergeRows(read.rows, at);
  const ids = merged.rows.map(({ id }) => id);
  const problems = [
    ...read.problems,
    ...merged.problems,
    ...lostRowProblems(outline, [...new Set(read.rows.map(({ id }) => id))], at),
    ...(read.tables === 0 && read.problems.length === 0 ? [noTable(file, text)] : []),
  ];
  if (problems.length > 0) throw new Problems(sortProblems(problems));
  const marks = new Map(
    deferredInLists(outline.lines, ids).flatMap(({ ids: listed, deferral }) =>
      listed.map((id) => [id, deferral] as const),
    ),
  );
  return {
    placed: merged.rows.map((row) => {
      const deferred = row.deferred ?? marks.get(row.id);
      const requirement = toRequirement({ ...row, ...(deferred ? { deferred } : {}) }, file, folder);
      return { requirement, whereIs: () => at(row.first.idCell.offset, row.id.length) };
    }),
    headings: new Map(
      merged.rows.flatMap(({ id, first }) => {
        const heading = first.under.at(-1);
        return heading ? [[id, heading.text] as const] : [];
      }),
    ),
    notes: notesOf(read, shown),
  };
}

function notesOf({ untaken, besides }: ReadRows, file: string): readonly string[] {
  return [
    ...untaken.map(
      ({ line, heads }) =>
        `${file}:${line}: ${heads.length === 1 ? 'the column' : 'the columns'} ${heads.map((head) => `“${head}”`).join(', ')} ${heads.length === 1 ? 'is' : 'are'} not taken over`,
    ),
    ...besides.map(
      (line) => `${file}:${line}: the table has no column \`ID\`, and nothing of it is taken over`,
    ),
  ];
}

/** What nobody says about the failing side is guessed from the words, and the guess is kept beside it. */
function toRequirement(row: MergedRow, file: string, folder: string): Requirement {
  const { id, title, text, priority, method, antiPattern, deferred, dependsOn } = row;
  const guessed = row.failPath === undefined ? failWordIn([title, text, method]) : undefined;
  return {
    id,
    ...(title === undefined ? {} : { title }),
    text,
    ...(priority === undefined ? {} : { priority }),
    failPath: row.failPath ?? guessed !== undefined,
    ...(guessed === undefined ? {} : { failPathFrom: guessed }),
    ...(row.source === undefined ? {} : { source: sourceLink(row.source, path.dirname(file), folder) }),
    ...(deferred === undefined ? {} : { deferred }),
    dependsOn: dependsOn ?? [],
    ...(method === undefined ? {} : { method }),
    ...(antiPattern === undefined ? {} : { antiPattern }),
    file: path.relative(folder, file),
    line: row.first.line,
  };
}

function noTable(file: string, text: string): Problem {
  return new Problem({
    code: 'requirement.bad-table',
    where: positionAt(file, text, 0),
    what: 'there is no table with ids in it',
    allowed: 'at least one table whose head has a column `ID`, such as | ID | Test | Required assertions |',
    next: 'add the column, or name another file',
  });
}
