/** Merges the rows of several tables for one requirement; where they contradict each other, both are reported. */
import { Problem } from '../../kernel/problem.ts';
import { requirementLimits } from '../requirement.ts';
import { badTable } from './markdown-outline.ts';
import type { PositionOf, ReadRow } from './read-table-rows.ts';

type MergedRow = Omit<ReadRow, 'table' | 'line' | 'under' | 'idCell' | 'text'> & {
  readonly text: string;
  /** The row that says what must be true. */
  readonly first: ReadRow;
};

export function mergeRows(all: readonly ReadRow[], at: PositionOf) {
  const problems: Problem[] = [];
  const rows: MergedRow[] = [];
  const byId = Map.groupBy(all, (row) => row.id);
  for (const [id, group] of byId) {
    const first = group.find(({ text }) => text !== undefined);
    const repeated = group.flatMap((row, index) => repetition(row, group.slice(0, index), at));
    if (!first) problems.push(...group.slice(0, 1).map((row) => withoutText(row, at)));
    problems.push(...repeated);
    if (!first || repeated.length > 0) continue;
    // Additions of later tables; the first value wins, because the others are the same.
    const whole = Object.assign({}, ...group.toReversed()) as ReadRow;
    const { table: _table, line: _line, under: _under, idCell: _idCell, ...said } = whole;
    rows.push({ ...said, id, text: first.text ?? '', first });
  }
  const most = requirementLimits.requirements;
  if (byId.size > most)
    problems.push(
      badTable(
        at(all.at(-1)?.idCell.offset ?? 0, 1),
        `the tables have more than ${most} requirements`,
        `at most ${most}`,
        'spread them over several systems',
      ),
    );
  return { rows, problems };
}

/** What later tables may say again, in the same words. */
const fields = {
  title: 'title',
  text: 'text',
  priority: 'priority',
  method: 'method',
  antiPattern: 'anti-pattern',
  source: 'source',
  failPath: 'fail path',
} as const;

function repetition(row: ReadRow, earlier: readonly ReadRow[], at: PositionOf): readonly Problem[] {
  const where = at(row.idCell.offset, row.id.length);
  const twin = earlier.find(({ table }) => table === row.table);
  if (twin)
    return [
      new Problem({
        code: 'requirement.duplicate-id',
        where,
        what: `${row.id} is in this table twice; it is already in line ${twin.line}`,
        allowed: 'each id once in a table',
        next: 'give one of the two an id of its own, or remove it',
      }),
    ];
  return Object.entries(fields).flatMap(([key, name]) => {
    const field = key as keyof typeof fields;
    const other = earlier.find((one) => one[field] !== undefined);
    if (!other || row[field] === undefined || plain(other[field]) === plain(row[field])) return [];
    return [
      new Problem({
        code: 'requirement.contradiction',
        where,
        what: `the ${name} of ${row.id} is ${JSON.stringify(row[field])} here, and ${JSON.stringify(other[field])} in line ${other.line}`,
        allowed: 'one text for each requirement, in all tables',
        next: 'correct one of the two, or remove the column from one of the tables',
      }),
    ];
  });
}

function plain(value: unknown): string {
  return String(value).replaceAll(/\s+/g, ' ').trim();
}

function withoutText({ id, idCell }: ReadRow, at: PositionOf): Problem {
  return badTable(
    at(idCell.offset, id.length),
    `no table says what must be true for ${id}`,
    'a row in a table that has a text for it, such as | ID | Test | Required assertions |',
    'add that row, or correct the id',
  );
}
