/** Converts the tables of a Markdown text into rows of requirements; an unreadable row is reported as written. */
import { defined } from '../../kernel/defined.ts';
import { Problem } from '../../kernel/problem.ts';
import type { SourcePosition } from '../../kernel/source-position.ts';
import { normalPriority } from '../priority.ts';
import type { Deferral, Requirement } from '../requirement.ts';
import { idPattern } from '../requirement-document.ts';
import { type ColumnMeaning, columnsOf } from './column-meaning.ts';
import { deferralAbove, deferralIn, deferralMark } from './deferral-marks.ts';
import { rowsWithoutHead } from './lost-rows.ts';
import { badTable, type Cell, type Heading, plainWords, type Row, type Table } from './markdown-outline.ts';

/** One row; a field is absent where its table has no such column, or the cell is empty. */
export interface ReadRow
  extends Partial<Pick<Requirement, 'title' | 'text' | 'priority' | 'method' | 'antiPattern'>>,
    Partial<Pick<Requirement, 'deferred' | 'dependsOn' | 'failPath'>> {
  readonly id: string;
  readonly source?: string;
  readonly table: number;
  readonly line: number;
  readonly under: readonly Heading[];
  readonly idCell: Cell;
}

export type PositionOf = (offset: number, length: number) => SourcePosition;

export type ReadRows = ReturnType<typeof readTableRows>;

export function readTableRows(tables: readonly Table[], at: PositionOf) {
  const rows: ReadRow[] = [];
  const problems: Problem[] = [];
  const unused: { line: number; heads: readonly string[] }[] = [];
  const headless: Table[] = [];
  for (const [index, table] of tables.entries()) {
    const columns = columnsOf(table, isAddition(table, rows));
    if (!columns) {
      headless.push(table);
      continue;
    }
    if (columns.unused.length > 0) unused.push({ line: table.header.line, heads: columns.unused });
    for (const row of table.rows) {
      const fault = rowProblem(row, table, columns.meanings, at);
      if (fault) problems.push(fault);
      else rows.push(readRow(row, table, index, columns.meanings));
    }
  }
  const known = rows.map(({ id }) => id);
  const isKnown = (row: Row): boolean => known.includes(firstCell(row));
  // A table that only refers to requirements of another one loses none; one with new ids would.
  const suspect = headless
    .map((table) => ({ table, isSafe: rowsWithoutHead(table, known).every(isKnown) }))
    .filter(({ table }) => rowsWithoutHead(table, known).length > 0);
  return {
    rows,
    /** How many tables have ids. */
    tables: tables.length - headless.length,
    unused,
    /** Lines of tables without a column of ids that refer to requirements of other tables. */
    besides: suspect.flatMap(({ table, isSafe }) => (isSafe ? [table.header.line] : [])),
    problems: [
      ...problems,
      ...suspect.flatMap(({ table, isSafe }) => (isSafe ? [] : [noIdColumn(table, at)])),
    ],
  };
}

function firstCell({ cells }: Row): string {
  return plainWords(cells[0]?.text ?? '');
}

function noIdColumn({ header, rows: [row] }: Table, at: PositionOf): Problem {
  const [first] = header.cells;
  return new Problem({
    code: 'requirement.bad-table',
    where: at(first?.offset ?? header.offset, Math.max(1, first?.text.length ?? 1)),
    what: `the rows of this table begin with what looks like ids (${row ? firstCell(row) : ''}), and its head has no column of ids`,
    allowed: 'a head with a column `ID`, such as | ID | Test | Required assertions |',
    next: `call the column ID instead of “${firstCell(header)}”; if these are not requirements, make another column the first`,
  });
}

/** The rows of a table that only adds to another one. */
function isAddition({ header, rows }: Table, known: readonly ReadRow[]): boolean {
  const ids = new Set(known.map(({ id }) => id));
  const at = header.cells.findIndex(({ text }) => /(?:^|\s)id$/i.test(plainWords(text)));
  return rows.length > 0 && rows.every(({ cells }) => ids.has(plainWords(cells[at]?.text ?? '')));
}

const needed: readonly ColumnMeaning[] = ['title', 'text', 'method', 'antiPattern'];

function rowProblem(
  row: Row,
  { header }: Table,
  meanings: readonly ColumnMeaning[],
  at: PositionOf,
): Problem | undefined {
  const allowed = `one cell for each of: ${header.cells.map(({ text }) => plainWords(text)).join(', ')}`;
  const bad = (what: string, next: string, { offset, text }: Cell = { ...row, text: row.written }): Problem =>
    badTable(at(offset, Math.max(1, text.length)), what, allowed, next);
  const { cells } = row;
  if (cells.length > header.cells.length)
    return bad(
      `this row has ${cells.length} cells, and the table has ${header.cells.length} columns`,
      'write a pipe that is meant as itself as \\|, in code too, or correct the row',
    );
  const idAt = meanings.indexOf('id');
  const idCell = cells[idAt];
  const id = plainWords(idCell?.text ?? '');
  if (!idCell || isNothing(id))
    return bad('this row has no id', 'give it an id of its own, or remove the row');
  if (!idPattern.test(id))
    return bad(`${JSON.stringify(id)} is not one id`, 'write one row for each requirement', idCell);
  const empty = meanings.findIndex(
    (meaning, index) => needed.includes(meaning) && isMissing(cells[index]?.text),
  );
  if (cells.length < header.cells.length || empty >= 0)
    return bad(
      `the row of ${id} has no cell under “${plainWords(header.cells[empty < 0 ? cells.length : empty]?.text ?? '')}”; cells cannot be merged`,
      'repeat what is meant in every row, or write - where there is nothing',
    );
  return valueProblem(cells, meanings, bad);
}

function valueProblem(
  cells: readonly Cell[],
  meanings: readonly ColumnMeaning[],
  bad: (what: string, next: string, cell?: Cell) => Problem,
): Problem | undefined {
  const priority = cells[meanings.indexOf('priority')];
  if (priority && !isNothing(priority.text) && normalPriority(plainWords(priority.text)) === undefined)
    return bad(`${JSON.stringify(priority.text)} is not a priority`, 'write p0, p1, p2 …', priority);
  const failPath = cells[meanings.indexOf('failPath')];
  if (failPath && yesOrNo(failPath.text) === 'neither')
    return bad(`${JSON.stringify(failPath.text)} is neither yes nor no`, 'write yes, no or -', failPath);
  return undefined;
}

function readRow(row: Row, table: Table, index: number, meanings: readonly ColumnMeaning[]): ReadRow {
  const { cells, line } = row;
  const of = (meaning: ColumnMeaning): string | undefined => {
    const text = cells[meanings.indexOf(meaning)]?.text;
    return text === undefined || isNothing(text) ? undefined : text;
  };
  const title = marked(of('title'));
  const text = marked(of('text'));
  const source = of('source');
  const dependsOn = of('dependsOn');
  const failPath = yesOrNo(of('failPath'));
  const idCell = cells[meanings.indexOf('id')] as Cell;
  return defined({
    id: plainWords(idCell.text),
    title: title.text,
    text: text.text,
    priority: normalPriority(plainWords(of('priority') ?? '')) ?? priorityAbove(table.under),
    method: of('method'),
    antiPattern: of('antiPattern'),
    source: source && plainWords(source),
    deferred:
      deferralIn(of('deferred') ?? '') ?? title.deferral ?? text.deferral ?? deferralAbove(table.under),
    dependsOn: dependsOn && listOfIds(dependsOn),
    failPath: failPath === 'neither' ? undefined : failPath,
    ...{ table: index, line, under: table.under, idCell },
  }) as ReadRow;
}

function marked(text: string | undefined): { readonly text?: string; readonly deferral?: Deferral } {
  if (text === undefined) return {};
  return deferralMark(text) ?? { text };
}

/** `### P0: Architecture` and `## Baseline (P0)`; the nearest heading that has one. */
function priorityAbove(under: readonly Heading[]): string | undefined {
  for (const { text } of under.toReversed()) {
    const [, number] = /(?:^|[\s([])p(\d{1,2})(?=$|[\s:.,)\]–—-])/i.exec(plainWords(text)) ?? [];
    if (number !== undefined) return normalPriority(`p${number}`);
  }
  return undefined;
}

function yesOrNo(text: string | undefined): boolean | 'neither' | undefined {
  const word = plainWords(text ?? '').toLowerCase();
  if (isNothing(word)) return undefined;
  if (/^(?:yes|y|true|x|✓|✔|required)$/.test(word)) return true;
  return /^(?:no|n|false|none)$/.test(word) ? false : 'neither';
}

function listOfIds(text: string): readonly string[] {
  return plainWords(text)
    .split(/[\s,;]+/)
    .filter((word) => word !== '' && word.toLowerCase() !== 'and');
}

function isNothing(text: string): boolean {
  return /^(?:[-–—]*|n\/a)$/i.test(text.trim());
}

/** Empty, or the mark with which some Markdown flavours merge a cell with the one above. */
function isMissing(text: string | undefined): boolean {
  return text === undefined || text === '' || /^(?:\^\^|["″〃])$/.test(text);
}
