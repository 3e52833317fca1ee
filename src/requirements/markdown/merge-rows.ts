/** Puts together what several tables say about one requirement; where they contradict each other, both places are told. */
import { Problem } from '../../kernel/problem.ts';
import { requirementLimits } from '../requirement.ts';
import type { PositionOf, ReadRow } from './read-table-rows.ts';

type Said = Omit<ReadRow, 'table' | 'line' | 'under' | 'idCell' | 'text'>;

export interface MergedRow extends Said {
  readonly text: string;
  /** The row that says what must be true. */
  readonly first: ReadRow;
}

export interface MergedRows {
  readonly rows: readonly MergedRow[];
  readonly problems: readonly Problem[];
}

const fields = ['title', 'text', 'priority', 'method', 'antiPattern', 'source', 'failPath'] as const;

export function mergeRows(rows: readonly ReadRow[], at: PositionOf): MergedRows {
  const problems: Problem[] = [];
  const byId = Map.groupBy(rows, ({ id }) => id);
  if (byId.size > requirementLimits.requirements) problems.push(tooMany(rows, at));
  const merged = [...byId].flatMap(([id, group]): MergedRow[] => {
    const repeated = group.flatMap((row, index) => repetition(row, group.slice(0, index), at));
    const first = group.find(({ text }) => text !== undefined);
    if (!first && group[0]) problems.push(withoutText(group[0], at));
    problems.push(...repeated);
    if (!first || repeated.length > 0) return [];
    // What a later table adds; the first that says something is right, because the others say the same.
    const whole = Object.assign({}, ...group.toReversed()) as ReadRow;
    const { table: _table, line: _line, under: _under, idCell: _idCell, ...said } = whole;
    return [{ ...said, id, text: first.text ?? '', first }];
  });
  return { rows: merged, problems };
}

function repetition(row: ReadRow, earlier: readonly ReadRow[], at: PositionOf): Problem[] {
  const where = at(row.idCell.offset, row.id.length);
  const twin = earlier.find(({ table }) => table === row.table);
  if (twin)
    return [
      new Problem({
        code: 'requirement.duplicate-id',
        where,
        what: `${row.id} stands twice in this table; it stands already in line ${twin.line}`,
        allowed: 'each id once in a table',
        next: 'give one of the two an id of its own, or remove it',
      }),
    ];
  return fields.flatMap((field) => {
    const other = earlier.find((one) => one[field] !== undefined);
    if (!other || row[field] === undefined || same(other[field], row[field])) return [];
    return [
      new Problem({
        code: 'requirement.contradiction',
        where,
        what: `the ${words[field]} of ${row.id} is ${JSON.stringify(row[field])} here, and ${JSON.stringify(other[field])} in line ${other.line}`,
        allowed: 'one text for each requirement, whichever table says it',
        next: 'correct one of the two, or remove the column from one of the tables',
      }),
    ];
  });
}

const words: Readonly<Record<(typeof fields)[number], string>> = {
  title: 'title',
  text: 'text',
  priority: 'priority',
  method: 'method',
  antiPattern: 'anti-pattern',
  source: 'source',
  failPath: 'fail path',
};

function same(one: unknown, other: unknown): boolean {
  const plain = (value: unknown): string => String(value).replaceAll(/\s+/g, ' ').trim();
  return plain(one) === plain(other);
}

function withoutText(row: ReadRow, at: PositionOf): Problem {
  return new Problem({
    code: 'requirement.bad-table',
    where: at(row.idCell.offset, row.id.length),
    what: `no table says what must be true for ${row.id}`,
    allowed: 'a row in a table that has a text for it, such as | ID | Test | Required assertions |',
    next: 'add that row, or correct the id',
  });
}

function tooMany(rows: readonly ReadRow[], at: PositionOf): Problem {
  const last = rows.at(-1);
  return new Problem({
    code: 'requirement.bad-table',
    where: at(last?.idCell.offset ?? 0, 1),
    what: `the tables have more than ${requirementLimits.requirements} requirements`,
    allowed: `at most ${requirementLimits.requirements}`,
    next: 'spread them over several systems',
  });
}
