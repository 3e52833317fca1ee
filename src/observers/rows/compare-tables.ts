/** How rows changed between two readings of all tables. Pure. */
import { type Row, readRow } from './read-row.ts';
import type { AllTables, Content, TableContents } from './table-contents.ts';

export type RowChange = {
  readonly kind: 'row';
  readonly service: string | null;
  readonly table: string;
} & (
  | { readonly op: 'inserted' | 'deleted'; readonly row: Row }
  | { readonly op: 'updated'; readonly before: Row; readonly row: Row }
  /** Something is different, or may be, but it is unknown what. */
  | { readonly op: 'unknown'; readonly because: string }
);

export function compareTables(before: AllTables, now: AllTables): readonly RowChange[] {
  const names = [...new Set([...before.keys(), ...now.keys()])].sort();
  return names.flatMap((name) => compareTable(before.get(name), now.get(name)));
}

const empty: Content = { kind: 'rows', texts: [] };

/** A table that is not there has no rows. */
function compareTable(
  before: TableContents | undefined,
  now: TableContents | undefined,
): readonly RowChange[] {
  const named = now ?? before;
  if (!named) return [];
  const { service, table } = named;
  const [old, young] = [before?.content ?? empty, now?.content ?? empty];
  if (old.kind === 'rows' && young.kind === 'rows')
    return compareRows(before ?? named, old.texts, named, young.texts);
  const because = differenceOf(old, young);
  return because === undefined ? [] : [{ kind: 'row', service, table, op: 'unknown', because }];
}

function differenceOf(old: Content, young: Content): string | undefined {
  if (old.kind === 'unknown') return old.because;
  if (young.kind === 'unknown') return young.because;
  if (old.kind === 'sum' && young.kind === 'sum' && old.count === young.count && old.hash === young.hash)
    return undefined;
  return `too large to say which rows: ${countOf(old)} before, ${countOf(young)} now`;
}

function countOf(content: Exclude<Content, { kind: 'unknown' }>): string {
  return content.kind === 'sum' ? content.count : String(content.texts.length);
}

function compareRows(
  before: TableContents,
  oldTexts: readonly string[],
  now: TableContents,
  youngTexts: readonly string[],
): readonly RowChange[] {
  const gone = withoutThese(oldTexts, youngTexts).map((text) => readRow(text, before.shape.columns));
  const come = withoutThese(youngTexts, oldTexts).map((text) => readRow(text, now.shape.columns));
  const place = { kind: 'row', service: now.service, table: now.table } as const;
  const { key } = now.shape;
  const byKey = new Map(key.length === 0 ? [] : gone.map((row) => [keyOf(row, key), row]));
  const changes = come.map((row): RowChange => {
    const old = byKey.get(keyOf(row, key));
    return old ? { ...place, op: 'updated', before: old, row } : { ...place, op: 'inserted', row };
  });
  const updated = new Set(changes.flatMap((change) => (change.op === 'updated' ? [change.before] : [])));
  const deleted = gone.filter((row) => !updated.has(row));
  return [...changes, ...deleted.map((row) => ({ ...place, op: 'deleted', row }) as const)];
}

/** What remains of the first when each of the second has taken one that is equal to it. */
function withoutThese(texts: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const text of others) left.set(text, (left.get(text) ?? 0) + 1);
  return texts.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

function keyOf(row: Row, key: readonly string[]): string {
  return JSON.stringify(key.map((name) => row[name]));
}
