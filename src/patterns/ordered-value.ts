/** Values that have an order: numbers, sizes, durations, intervals, dates and texts, each with its own kind. */
import { parseDuration } from '../kernel/duration.ts';
import { type AnyNumber, compareNumbers, ExactNumber, isAnyNumber } from '../kernel/exact-json.ts';
import { parseSize } from '../kernel/size.ts';
import { compareTexts } from './compare-texts.ts';
import { parseInterval } from './interval.ts';
import { toPlain } from './plain-value.ts';

/** `decimal` is a number in a text, `interval` a span of time as SQL writes it, `day` is a date without a time, `local` a time without a zone, `moment` a time with one, `endless` after or before all. */
type OrderedKind =
  | 'number'
  | 'size'
  | 'duration'
  | 'decimal'
  | 'interval'
  | 'day'
  | 'local'
  | 'moment'
  | 'endless'
  | 'text';

const dateKinds: readonly OrderedKind[] = ['day', 'local', 'moment'];

export interface OrderedValue {
  readonly kind: OrderedKind;
  readonly value: AnyNumber | string;
  /** As it was written, where it may be meant as a text as well. */
  readonly text?: string;
}

/** The value as something that has an order; undefined if it has none. */
export function toOrdered(value: unknown): OrderedValue | undefined {
  const plain = toPlain(value);
  if (isAnyNumber(plain))
    return typeof plain === 'number' && !Number.isFinite(plain)
      ? undefined
      : { kind: 'number', value: plain };
  if (typeof plain !== 'string') return undefined;
  const bytes = parseSize(plain);
  if (bytes !== undefined) return { kind: 'size', value: bytes };
  const ms = parseDuration(plain);
  if (ms !== undefined) return { kind: 'duration', value: ms };
  // As PostgreSQL writes them.
  if (/^-?infinity$/.test(plain)) return { kind: 'endless', value: plain };
  if (/^[+-]?\d+(?:\.\d+)?$/.test(plain))
    return { kind: 'decimal', value: new ExactNumber(plain.replace('+', '')), text: plain };
  const span = parseInterval(plain);
  if (span !== undefined) return { kind: 'interval', value: span, text: plain };
  return toDate(plain) ?? { kind: 'text', value: plain };
}

/** Below zero when a comes first, zero when equal; undefined when the two cannot be compared. */
export function compareOrdered(a: OrderedValue, b: OrderedValue): number | undefined {
  if (a.kind !== b.kind || a.kind === 'text') {
    const [left, right] = [a, b].map(textOf);
    if (left !== undefined && right !== undefined) return compareTexts(left, right);
  }
  if (a.kind === 'endless' && isDate(b)) return a.value === 'infinity' ? 1 : -1;
  if (b.kind === 'endless' && isDate(a)) return b.value === 'infinity' ? -1 : 1;
  const comparable = a.kind === b.kind || isWider(a, b) || isWider(b, a);
  return comparable ? compareNumbers(a.value as AnyNumber, b.value as AnyNumber) : undefined;
}

/** A number can be compared as bytes or milliseconds, a day as its midnight, local or UTC. */
function isWider({ kind }: OrderedValue, other: OrderedValue): boolean {
  if (kind === 'number') return other.kind === 'size' || other.kind === 'duration';
  if (kind === 'duration') return other.kind === 'interval';
  return kind === 'day' && (other.kind === 'local' || other.kind === 'moment');
}

/** Two texts of which it is not certain that their characters have the order of what they mean: `1.10.0` and `1.9.0`. */
export function isAmbiguous(a: OrderedValue, b: OrderedValue): boolean {
  return textOf(a) !== undefined && textOf(b) !== undefined && compareOrdered(a, b) === undefined;
}

function textOf({ kind, value, text }: OrderedValue): string | undefined {
  return kind === 'text' || kind === 'endless' ? String(value) : text;
}

export function isDate({ kind }: OrderedValue): boolean {
  return dateKinds.includes(kind);
}

export function isMoment({ kind }: OrderedValue): boolean {
  return kind === 'moment';
}

const iso =
  /^(?<year>\d{4}|[+-]\d{6})-(?<month>\d\d)-(?<day>\d\d)(?:[Tt ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)? ?(?<zone>[Zz]|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/;
const mail =
  /^(?:[A-Z][a-z]{2}, )?(?<day>\d\d?) (?<name>[A-Z][a-z]{2}) (?<year>\d{4}) (?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))? (?<zone>GMT|UTC|[+-]\d{4})$/;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** RFC 3339 and its usual variants, and the dates of HTTP and mail; every digit of a fraction counts. */
function toDate(text: string): OrderedValue | undefined {
  const parts = (iso.exec(text) ?? mail.exec(text))?.groups;
  if (!parts) return undefined;
  const { year, day, hour = '0', minute = '0', second = '0', fraction = '0', zone } = parts;
  const month = parts.month === undefined ? months.indexOf(String(parts.name)) : Number(parts.month) - 1;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), month, Number(day));
  const isThere = date.getUTCMonth() === month && date.getUTCDate() === Number(day);
  if (!isThere || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const seconds = date.getTime() / 1_000 + Number(hour) * 3_600 + Number(minute) * 60 + Number(second);
  // Offset so that the value is positive, because a fraction is added.
  const value = new ExactNumber(`${seconds - offsetOf(zone) + 1e14}.${fraction}`);
  if (zone !== undefined) return { kind: 'moment', value };
  return { kind: parts.hour === undefined ? 'day' : 'local', value };
}

/** In seconds. */
function offsetOf(zone = ''): number {
  const [, side, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return (side === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60);
}
