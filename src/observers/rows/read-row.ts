/** Turns the JSON that PostgreSQL prints for a row into plain data that loses nothing. Pure. */
import { isContainer, parseExactJson } from '../../kernel/exact-json.ts';
import { isoTime } from '../../kernel/iso-time.ts';
import { hasKeyTwice } from '../../kernel/strict-json.ts';
import type { ColumnShape } from './table-catalogue.ts';

export type Row = Readonly<Record<string, unknown>>;

export function readRow(text: string, columns: readonly Pick<ColumnShape, 'name' | 'type'>[]): Row {
  const row = parseExactJson(text) as Record<string, unknown>;
  // The type `json` keeps what was written; others may read the key that we do not.
  const isDoubtful = columns.some(({ type }) => type === 'json') && hasKeyTwice(text, row);
  for (const { name, type } of columns) {
    const value = row[name];
    if (typeof value === 'string' && (type === 'timestamptz' || type === 'timestamp'))
      row[name] = isoTime(value);
    if (isDoubtful && type === 'json' && isContainer(value)) row[name] = { $broken: text };
  }
  return row;
}
