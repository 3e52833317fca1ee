/** From the tables of a Markdown text to rows with meaning; a row that cannot be one is told as it stands. */
import { Problem } from '../../kernel/problem.ts';
import type { SourcePosition } from '../../kernel/source-position.ts';
import { normalPriority } from '../priority.ts';
import type { Deferral } from '../requirement.ts';
import { idPattern } from '../requirement-document.ts';
import { type ColumnMeaning, columnsOf } from './column-meaning.ts';
import { deferralAbove, deferralIn, deferralMark } from './deferral-marks.ts';
import { rowsWithoutHead } from './lost-rows.ts';
import { type Cell, type Heading, plainWords, type Row, type Table } from './markdown-outline.ts';

/** What one row says; a field is absent where its table has no such column, or the cell says nothing. */
export interface ReadRow {
  readonly id: string;
  readonly table: number;
  readonly line: number;
  readonly under: readonly Heading[];
  readonly idCell: Cell;
  readonly title?: string;
  readonly text?: string;
  readonly priority?: string;
  readonly method?: string;
  readonly antiPattern?: string;
  readonly source?: string;
  readonly deferred?: Deferral;
  readonly dependsOn?: readonly string[];
  readonly failPath?: boolean;
}

export interface ReadRows {
  readonly rows: readonly ReadRow[];
  /** How many tables have ids. */
  readonly tables: number;
  readonly untaken: ReadonlyArray<{ readonly line: number; readonly heads: readonly string[] }>;
  /** Lines of tables without a column of ids that speak of requirements which other tables have. */
  readonly besides: readonly number[];
  readonly problems: readonly Problem[];
}

export type PositionOf = (offset: number, length: number) => SourcePosition;

export function readTableRows(tables: readonly Table[], at: PositionOf): ReadRows {
  const rows: ReadRow[] = [];
  const problems: Problem[] = [];
  const untaken: { line: number; heads: readonly string[] }[] = [];
  const headless: Table[] = [];
  let read = 0;
  for (const [index, table] of tables.entries()) {
    const columns = columnsOf(table, isAddition(table, rows));
    if (!columns) {
      headless.push(table);
      continue;
    }
    read += 1;
    if (columns.untaken.length > 0) untaken.push({ line: table.header.line, heads: columns.untaken });
    for (const row of table.rows) {
      const fault = rowProblem(row, table, columns.meanings, at);
      if (fault) problems.push(fault);
      else rows.push(readRow(row, table, index, columns.meanings));
    }
  }
  const known = rows.map(({ id }) => id);
  const { lost, named } = withoutIdColumn(headless, known);
  return {
    rows,
    tables: read,
    untaken,
    besides: named.map(({ header }) => header.line),
    problems: [...problems, ...lost.map((table) => noIdColumn(table, at))],
  };
}

/** A table that speaks only of requirements which another one has loses none; one with new ids would. */
function withoutIdColumn(
  tables: readonly Table[],
  known: readonly string[],
): { readonly lost: readonly Table[]; readonly named: readonly Table[] } {
  const isKnown = ({ cells }: Row): boolean => known.includes(plainWords(cells[0]?.text ?? ''));
  const suspect = tables.filter((table) => rowsWithoutHead(table, known).length > 0);
  const named = suspect.filter((table) => rowsWithoutHead(table, known).every(isKnown));
  return { named, lost: suspect.filter((table) => !named.includes(table)) };
}

function noIdColumn({ header, rows }: Table, at: PositionOf): Problem {
  const first = header.cells[0];
  return new Problem({
    code: 'requirement.bad-table',
    where: at(first?.offset ?? header.offset, Math.max(1, first?.text.length ?? 1)),
    what: `the rows of this table begin with what looks like ids (${plainWords(rows[0]?.cells[0]?.text ?? '')}), and its head has no column of ids`,
    allowed: 'a head with a column `ID`, such as | ID | Test | Required assertions |',
    next: `call the column ID instead of “${plainWords(first?.text ?? '')}”; where these are no requirements, let another column be the first`,
  });
}

/** The rows of a table that only adds to what another one says. */
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
  const bad = (what: string, next: string, cell?: Cell): Problem =>
    new Problem({
      code: 'requirement.bad-table',
      where: cell ? at(cell.offset, Math.max(1, cell.text.length)) : at(row.offset, row.written.length),
      what,
      allowed: `one cell for each of: ${header.cells.map(({ text }) => plainWords(text)).join(', ')}`,
      next,
    });
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
    return bad(`${JSON.stringify(priority.text)} is no priority`, 'write p0, p1, p2 …', priority);
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
  const priority = normalPriority(plainWords(of('priority') ?? '')) ?? priorityAbove(table.under);
  const deferred =
    deferralIn(of('deferred') ?? '') ?? title.deferral ?? text.deferral ?? deferralAbove(table.under);
  const failPath = yesOrNo(of('failPath'));
  const dependsOn = of('dependsOn');
  const optional = {
    title: title.text,
    text: text.text,
    priority,
    method: of('method'),
    antiPattern: of('antiPattern'),
    source: of('source') === undefined ? undefined : plainWords(of('source') ?? ''),
    deferred,
    dependsOn: dependsOn === undefined ? undefined : listOfIds(dependsOn),
    failPath: typeof failPath === 'boolean' ? failPath : undefined,
  };
  const said = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  const idCell = cells[meanings.indexOf('id')] as Cell;
  return { ...said, id: plainWords(idCell.text), table: index, line, under: table.under, idCell };
}

function marked(text: string | undefined): { readonly text?: string; readonly deferral?: Deferral } {
  if (text === undefined) return {};
  return deferralMark(text) ?? { text };
}

/** `### P0: Architecture` and `## Baseline (P0)`; the nearest heading that says one. */
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

/** Empty, or the mark with which some dialects merge a cell with the one above. */
function isMissing(text: string | undefined): boolean {
  return text === undefined || text === '' || /^(?:\^\^|["″〃])$/.test(text);
}
