/** Ids and moments that are kept as texts may be there in another spelling, which is for the pattern to doubt. Pure. */
import { uuidDigits } from '../../patterns/alike.ts';
import { isMoment, toOrdered } from '../../patterns/ordered-value.ts';
import { quoteName } from '../../resources/postgres/sql-names.ts';
import type { Scalar } from './database/where-literals.ts';
import type { ColumnShape } from './table-catalogue.ts';

const texts = ['text', 'varchar', 'bpchar', 'other'];

/** SQL that is true at least for the rows that have the value in another of its usual spellings. */
export function otherSpellings({ name, type }: ColumnShape, value: Scalar): string | undefined {
  if (typeof value !== 'string' || !texts.includes(type)) return undefined;
  const digits = uuidDigits(value);
  // Without a function around the column, an index is of use.
  if (digits !== undefined)
    return `${quoteName(name)}${type === 'other' ? '::text' : ''} IN (${uuidSpellings(digits).join(', ')})`;
  const seconds = secondsOf(value);
  return seconds === undefined
    ? undefined
    : `${quoteName(name)}::text COLLATE "C" ~ '${momentExpression(seconds)}'`;
}

function uuidSpellings(digits: string): readonly string[] {
  return [digits, digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')]
    .flatMap((text) => [text, `{${text}}`])
    .flatMap((text) => [`'${text}'`, `'${text.toUpperCase()}'`]);
}

/** Since 1970, without a fraction; undefined when it is not a point in time. */
function secondsOf(text: string): number | undefined {
  const [moment, epoch] = [toOrdered(text), toOrdered('1970-01-01T00:00:00Z')];
  if (!moment || !epoch || !isMoment(moment)) return undefined;
  return Number.parseInt(String(moment.value), 10) - Number.parseInt(String(epoch.value), 10);
}

/** In any zone: on this day or an adjacent one, some quarters of an hour away. */
function momentExpression(seconds: number): string {
  const days = [-1, 0, 1]
    .map((day) => new Date((seconds + day * 86_400) * 1_000))
    .filter((date) => !Number.isNaN(date.getTime()));
  const isoDays = days.map((date) => date.toISOString().replace(/T.*/, '').replace('+', '[+]'));
  const mailDays = days.map((date) => date.toUTCString().slice(5, 16).replace(/^0/, '0?'));
  const [, minute, second] = /:(\d\d):(\d\d)/.exec(new Date(seconds * 1_000).toISOString()) ?? [];
  const minutes = [0, 15, 30, 45].map((more) => String((Number(minute) + more) % 60).padStart(2, '0'));
  const day = `(${isoDays.join('|')}|([A-Z][a-z][a-z], )?(${mailDays.join('|')}))`;
  return `^${day}[Tt ][0-9][0-9]:(${minutes.join('|')})${second === '00' ? '(:00|(?!:))' : `:${second}`}`;
}
