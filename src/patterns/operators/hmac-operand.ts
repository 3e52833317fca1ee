/** How a signature is asked for: its key, where it is, and what it is of. */
import { isPlainMap, type PlainMap } from '../plain-value.ts';
import { printValue } from '../print-value.ts';
import { parsePath } from '../value-path.ts';
import type { Inspection } from './operator.ts';

export interface HmacOperand {
  readonly key: string;
  /** How the key is written; as it is where absent. */
  readonly keyEncoding?: 'hex' | 'base64';
  /** The place of the signature in the message. */
  readonly in: string;
  /** Of a text such as `t=1,v1=abc`: the name before the signature. */
  readonly field?: string;
  /** Written before the signature, such as `sha256=`. */
  readonly prefix?: string;
  /** What is signed: `{body}`, `{t}` for another field, `{headers.x-timestamp}` for another place. */
  readonly of?: string;
  readonly algorithm?: (typeof algorithms)[number];
  readonly encoding?: (typeof encodings)[number];
}

const algorithms = ['sha256', 'sha1', 'sha384', 'sha512'] as const;
const encodings = ['hex', 'base64', 'base64url'] as const;
const choices: Readonly<Record<string, readonly string[]>> = {
  algorithm: algorithms,
  encoding: encodings,
  keyEncoding: ['hex', 'base64'],
};
const texts = ['key', 'in', 'field', 'prefix', 'of'];
const known = [...texts, ...Object.keys(choices)];

/** `{body}`, `{t}`, `{headers.x-timestamp}`. */
export const placeholder = /\{([^{}]+)\}/g;

export function namesIn(of: string): readonly string[] {
  return [...of.matchAll(placeholder)].map(([, name = '']) => name);
}

/** A name alone is a field beside the signature. */
export function isFieldName(name: string): boolean {
  return name !== 'body' && !/[.[]/.test(name);
}

export function checkHmac(operand: unknown, inspection: Inspection): void {
  const fault = isPlainMap(operand) ? mapFault(operand, inspection) : 'is not a map';
  if (fault !== undefined) inspection.fault(fault);
}

function mapFault(operand: PlainMap, inspection: Inspection): string | undefined {
  for (const key of Object.keys(operand)) {
    const fault = faultOf(key, operand[key], inspection);
    if (fault !== undefined) return fault;
  }
  const missing = ['key', 'in'].find((key) => operand[key] === undefined);
  if (missing !== undefined) return `has no \`${missing}\``;
  const names = namesIn(String(operand.of ?? '{body}'));
  if (names.length === 0) return 'signs the same text whatever was sent: `of` has no {…} in it';
  const field = operand.field === undefined ? names.find(isFieldName) : undefined;
  return field && `signs {${field}}, and has no \`field\` beside which it would be`;
}

function faultOf(key: string, value: unknown, { isOpen }: Inspection): string | undefined {
  if (!known.includes(key)) return `has the key ${key}, and may have ${known.join(', ')}`;
  if (isOpen(value)) return undefined;
  if (texts.includes(key) && (typeof value !== 'string' || value === '')) return `has no text as \`${key}\``;
  if (key === 'in' && !parsePath(String(value))) return 'has an `in` that is not a path';
  return choices[key]?.includes(String(value)) === false
    ? `has the ${key} ${printValue(value)}, which may be ${choices[key].join(', ')}`
    : undefined;
}
