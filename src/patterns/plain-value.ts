/** Any observed value in the form in which the journal stores it, so that a live match and a later one agree. */

import { types } from 'node:util';
import { compareNumbers, ExactNumber, isAnyNumber } from '../kernel/exact-json.ts';

export type PlainKind = 'absent' | 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'other';

export type PlainMap = Readonly<Record<string, unknown>>;

/** A date becomes its ISO text, bytes their UTF-8 text (or `hex:…`); everything else stays. One level only. */
export function toPlain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (types.isUint8Array(value)) return bytesToText(value);
  return value;
}

/** The kind of a value that went through `toPlain`. Undefined counts as absent, as it does in JSON. */
export function kindOf(plain: unknown): PlainKind {
  if (plain === undefined) return 'absent';
  if (plain === null) return 'null';
  if (Array.isArray(plain)) return 'array';
  if (plain instanceof ExactNumber) return 'number';
  switch (typeof plain) {
    case 'boolean':
    case 'string':
    case 'number':
    case 'object':
      return typeof plain as PlainKind;
    case 'bigint':
      return 'number';
    default:
      return 'other';
  }
}

export function isPlainMap(plain: unknown): plain is PlainMap {
  return kindOf(plain) === 'object';
}

/** The keys of a map that have a value. */
export function presentKeys(map: PlainMap): string[] {
  return Object.keys(map).filter((key) => map[key] !== undefined);
}

/** Equality of two scalars: NaN equals itself, -0 equals 0, and 5n equals 5; of numbers every digit counts. */
export function equalScalars(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  return isAnyNumber(a) && isAnyNumber(b) && compareNumbers(a, b) === 0;
}

function bytesToText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return `hex:${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
  }
}
