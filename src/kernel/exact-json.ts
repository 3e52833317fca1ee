/** Lossless JSON: integers that a number cannot represent exactly are bigints, other such numbers `ExactNumber`s. */
import { jsonFault } from './parser-fault.ts';

/** A fraction or a magnitude that a number cannot represent: the digits as they were written. */
export class ExactNumber {
  readonly number: string;

  constructor(number: string) {
    this.number = number;
    Object.freeze(this);
  }

  toString(): string {
    return this.number;
  }

  toJSON(): unknown {
    return rawJson(this.number);
  }
}

export type AnyNumber = number | bigint | ExactNumber;

const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };

// Without this, `JSON.stringify` throws on a bigint; with it, the digits are written.
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint): unknown {
    return rawJson(String(this));
  },
  configurable: true,
  writable: true,
});

/**
 * Sixteen digits, or an exponent of three: shorter numbers are always exact. A match inside a string only costs time.
 */
const mayBeTooMuch = /(?:^|[\s:,[-])(?:\d[\d.]{15}|[\d.]+[eE][+-]?\d{3})/;

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(
      text,
      mayBeTooMuch.test(text) ? (keepExact as Parameters<typeof JSON.parse>[1]) : undefined,
    );
  } catch (error) {
    throw jsonFault(text, error);
  }
}

/** The other value where the text is not JSON. */
export function exactJsonOr<Other>(text: string, other: Other): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return other;
  }
}

const keepExact: Reviver = (_, value, { source }) =>
  typeof value === 'number' && source !== undefined ? exactNumber(source) : value;

/** Numbers with more digits are kept as written and not used in arithmetic. */
const mostDigits = 1_000;

/**
 * The value of a decimal literal such as `12`, `-0.5` or `1e999`; also of forms that JSON does not have, such as `+.5`.
 */
export function exactNumber(written: string): AnyNumber {
  const literal = asJson(written);
  const value = Number(literal);
  const shortest = String(value);
  if (shortest === literal || literal === '-0') return value;
  if (/^-?\d+$/.test(literal))
    return literal.length > mostDigits ? new ExactNumber(literal) : BigInt(literal);
  return Number.isFinite(value) && compareDecimals(literal, shortest) === 0
    ? value
    : new ExactNumber(literal);
}

/** A number as an unquoted YAML scalar has it; any other value unchanged. */
export function exactScalar(value: unknown, source: string | undefined): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  if (/^0[xo]/.test(source)) return exactNumber(String(BigInt(source)));
  return decimal.test(source) ? exactNumber(source) : value;
}

const decimal = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

function asJson(written: string): string {
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(written)) return written;
  const [, sign, whole = '', fraction = '', exponent] = decimal.exec(written) ?? [];
  const front = `${sign === '-' ? '-' : ''}${whole.replace(/^0+(?=\d)/, '') || '0'}`;
  return `${front}${fraction && `.${fraction}`}${exponent === undefined ? '' : `e${exponent}`}`;
}

export function isAnyNumber(value: unknown): value is AnyNumber {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof ExactNumber;
}

/** However it is written: `1e309`, `12345678901234567890.0`. */
export function isWholeNumber(value: unknown): boolean {
  if (!(value instanceof ExactNumber)) return typeof value === 'bigint' || Number.isInteger(value);
  const { digits, point } = toDecimal(value.number);
  return point >= BigInt(digits.length);
}

/** A list or a map. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

/** The same value with each exact number replaced by the nearest number, for schemas, which support no others. */
export function withNearest(value: unknown): unknown {
  if (isAnyNumber(value)) return Number(value);
  if (Array.isArray(value)) return value.map(withNearest);
  if (!isContainer(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withNearest(inner)]));
}

/** Below zero when a is less, zero when equal. A number counts as the shortest decimal that denotes it. */
export function compareNumbers(a: AnyNumber, b: AnyNumber): number {
  const isPlain = (one: AnyNumber): boolean => typeof one === 'number' && !Number.isFinite(one);
  if ((typeof a === 'number' && typeof b === 'number') || isPlain(a) || isPlain(b))
    return sign(toDouble(a), toDouble(b));
  return compareDecimals(String(a), String(b));
}

/** Infinite only for infinite values; digits may be lost. */
function toDouble(value: AnyNumber): number {
  return typeof value === 'number' ? value : String(value).startsWith('-') ? -1 : 1;
}

function compareDecimals(a: string, b: string): number {
  const [left, right] = [toDecimal(a), toDecimal(b)];
  if (left.sign !== right.sign) return sign(left.sign, right.sign);
  const bySize = sign(left.point, right.point) || sign(left.digits, right.digits);
  return bySize === 0 ? 0 : bySize * left.sign;
}

function toDecimal(literal: string) {
  const [, minus, whole = '', fraction = '', exponent = '0'] = decimal.exec(literal) ?? [];
  const all = whole + fraction;
  let from = 0;
  while (all[from] === '0') from += 1;
  let to = all.length;
  while (to > from && all[to - 1] === '0') to -= 1;
  if (from === to) return { sign: 0, digits: '', point: 0n };
  return {
    sign: minus === '-' ? -1 : 1,
    /** The value is 0.DIGITS times ten to the power of the point; no zero at either end. */
    digits: all.slice(from, to),
    point: BigInt(exponent) + BigInt(whole.length - from),
  };
}

function sign<T extends number | bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
