/** Reads the requirements in the tables of a Markdown file; an unreadable row is reported, never left out. */
import path from 'node:path';
import { type Problem, Problems } from '../../kernel/problem.ts';
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';
import { sortProblems } from '../../system/check/sort-problems.ts';
import { toRequirement } from '../read-yaml-requirements.ts';
import { deferredInLists } from './deferral-marks.ts';
import { lostRowProblems } from './lost-rows.ts';
import { badTable, markdownOutline } from './markdown-outline.ts';
import { mergeRows } from './merge-rows.ts';
import { type ReadRows, readTableRows } from './read-table-rows.ts';
import { anchorOf } from './source-section.ts';

/** `folder` is that of the config; `file` is absolute. */
export function readMarkdownRequirements(file: string, text: string, folder: string) {
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
    placed: merged.rows.map(({ first, ...row }) => {
      // Without a word on the failing side it is guessed from the text, and the guess is marked as one.
      const failPathFrom =
        row.failPath === undefined ? failWordIn([row.title, row.text, row.method]) : undefined;
      const failPath = row.failPath ?? failPathFrom !== undefined;
      const deferred = row.deferred ?? marks.get(row.id);
      const requirement = toRequirement(
        { ...row, failPath, failPathFrom, deferred },
        { file, line: first.line, folder },
      );
      return { requirement, whereIs: () => at(first.idCell.offset, row.id.length) };
    }),
    /** The anchor of the heading above each, where there is one. */
    sections: new Map(
      merged.rows.flatMap(({ id, first }) => {
        const heading = first.under.at(-1);
        return heading ? [[id, anchorOf(heading.text)] as const] : [];
      }),
    ),
    /** What is in its tables and was not used. */
    notes: notesOf(read, shown),
  };
}

function notesOf({ unused, besides }: ReadRows, file: string): readonly string[] {
  return [
    ...unused.map(
      ({ line, heads }) =>
        `${file}:${line}: ${heads.length === 1 ? 'the column' : 'the columns'} ${heads.map((head) => `“${head}”`).join(', ')} ${heads.length === 1 ? 'is' : 'are'} not used`,
    ),
    ...besides.map((line) => `${file}:${line}: the table has no column \`ID\`, and nothing of it is used`),
  ];
}

function noTable(file: string, text: string): Problem {
  return badTable(
    positionAt(file, text, 0),
    'no table has a column of ids',
    'at least one table whose head has a column `ID`, such as | ID | Test | Required assertions |',
    'add the column, or name another file',
  );
}

const words =
  /\b(?:reject(?:s|ed|ion|ions)?|refus(?:e|es|ed|al)|block(?:s|ed)?|den(?:y|ies|ied)|forbidden|disallowed|not allowed|unauthori[sz]ed|invalid|malformed|illegal|cannot|must not|fail(?:s|ed|ure|ures)?|outage|unavailable|error[- ]path|[45]\d\d)\b/i;

/** The first word that says so; undefined where none does. Only a guess: a written `failPath` overrides it. */
function failWordIn(texts: readonly (string | undefined)[]): string | undefined {
  for (const text of texts) {
    const [word] = words.exec(text ?? '') ?? [];
    if (word !== undefined) return word.toLowerCase();
  }
  return undefined;
}
