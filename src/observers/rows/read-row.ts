/** Turns the JSON that PostgreSQL prints for a row into plain data that loses nothing. Pure. */
import type { ColumnShape } from './table-catalogue.ts';

export type Row = Readonly<Record<string, unknown>>;

export function readRow(text: string, columns: readonly ColumnShape[]): Row {
  const row = parseExactly(text) as Record<string, unknown>;
  for (const { name, type } of columns) {
    const value = row[name];
    if (typeof value === 'string' && (type === 'timestamptz' || type === 'timestamp'))
      row[name] = isoTime(value);
  }
  return row;
}

/** So many digits in a row may be more than a number can hold. */
const manyDigits = /[\d.]{16}/;

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** A number that JavaScript cannot hold exactly stays the text that it was. */
function parseExactly(text: string): unknown {
  if (!manyDigits.test(text)) return JSON.parse(text);
  const keepExact: Reviver = (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isExact(value, source) ? source : value;
  return JSON.parse(text, keepExact as Parameters<typeof JSON.parse>[1]);
}

function isExact(value: number, source: string): boolean {
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && !/[eE]/.test(source)) return false;
  const plain = source.includes('.') ? source.replace(/\.?0+$/, '') : source;
  return String(value) === plain || /[eE]/.test(source) || Object.is(value, 0) || Object.is(value, -0);
}

/** As JavaScript and most others write it: at least milliseconds, and `Z` for UTC. Microseconds stay when there are any. */
function isoTime(text: string): string {
  const match = /^(\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(\+00:00)?$/.exec(text);
  if (!match) return text;
  const [, moment, fraction = '', zone] = match;
  return `${moment}.${fraction.padEnd(3, '0')}${zone === undefined ? '' : 'Z'}`;
}
