/** Prints plain data as an s-expression: maps as property lists, `:words` as keywords. */
import { ExactNumber } from '../../kernel/exact-json.ts';
import { BrokenRule } from './codec.ts';
import { codecLimits } from './codec-limits.ts';

/** A name that a Lisp reader takes as one plain token. */
const plainName = /^[^\s()"'`,;|\\#:]+$/u;

/**
 * What s-expressions cannot distinguish comes back as its twin: false and null are both `nil`, an empty map is an empty
 * list, and a list in which every other element is a keyword reads as a map.
 */
export function printSexp(value: unknown, depth = 0): string {
  if (value === null || value === false) return 'nil';
  if (value === true) return 't';
  if (typeof value === 'string') return printText(value);
  if (value instanceof ExactNumber) return value.number;
  if (typeof value === 'number' || typeof value === 'bigint') return printNumber(value);
  if (typeof value !== 'object')
    throw new BrokenRule('not-encodable', `${typeof value} cannot be written as an s-expression`);
  if (depth >= codecLimits.depth) throw new BrokenRule('too-deep', `more than ${codecLimits.depth} levels`);
  if (Array.isArray(value)) return `(${value.map((item) => printSexp(item, depth + 1)).join(' ')})`;
  return printMap(value, depth);
}

function printMap(map: object, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(map);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new BrokenRule('not-encodable', `a ${map.constructor.name} cannot be written as an s-expression`);
  }
  const entries = Object.entries(map).filter(([, value]) => value !== undefined);
  return `(${entries.map(([key, value]) => `${printKey(key)} ${printSexp(value, depth + 1)}`).join(' ')})`;
}

function printKey(key: string): string {
  if (plainName.test(key)) return `:${key}`;
  throw new BrokenRule('not-encodable', `the key ${JSON.stringify(key)} is not a keyword`);
}

/** Only quotes and backslashes are escaped; a line break is printed as it is. */
function printText(text: string): string {
  if (text.startsWith(':') && plainName.test(text.slice(1))) return text;
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** A whole number beyond the safe range is printed as the float that it is. */
function printNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return String(value);
  if (!Number.isFinite(value))
    throw new BrokenRule('not-encodable', `${value} cannot be written as an s-expression`);
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}
