/** What can be put in order: numbers, sizes, durations, dates and texts, each with its own kind. */
import { parseDuration } from '../kernel/duration.ts';
import { type AnyNumber, compareNumbers, isAnyNumber } from '../kernel/exact-json.ts';
import { parseSize } from '../kernel/size.ts';
import { toPlain } from './plain-value.ts';

type OrderedKind = 'number' | 'size' | 'duration' | 'text';

export interface OrderedValue {
  readonly kind: OrderedKind;
  readonly value: AnyNumber | string;
}

/** Only dates that mean the same moment on every machine: a day alone, or a time with its zone. */
const isoDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))?$/;

/** The value as something that has an order; undefined when it has none. */
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
  return ms === undefined ? { kind: 'text', value: plain } : { kind: 'duration', value: ms };
}

/** Below zero when a comes first, zero when equal; undefined when the two cannot be compared. */
export function compareOrdered(a: OrderedValue, b: OrderedValue): number | undefined {
  if (a.kind === 'text' && b.kind === 'text') return compareTexts(String(a.value), String(b.value));
  const comparable =
    a.kind !== 'text' &&
    b.kind !== 'text' &&
    (a.kind === b.kind || a.kind === 'number' || b.kind === 'number');
  return comparable ? compareNumbers(a.value as AnyNumber, b.value as AnyNumber) : undefined;
}

function compareTexts(a: string, b: string): number {
  const aTime = isoDate.test(a) ? Date.parse(a) : Number.NaN;
  const bTime = isoDate.test(b) ? Date.parse(b) : Number.NaN;
  return Number.isNaN(aTime) || Number.isNaN(bTime) ? sign(a, b) : sign(aTime, bTime);
}

function sign<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
