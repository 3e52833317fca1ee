/** Resolves `${…}` from the values of an attempt; a value that is a single reference keeps its type. */
import { isContainer } from '../kernel/exact-json.ts';
import {
  asText,
  isReference,
  mapTexts,
  type Part,
  parseReferences,
  type ReferencePart,
} from '../kernel/references.ts';
import { escapeFor, type TextForm } from './escape-data.ts';

/** Names to values: `trial`, `case`, the steps by name, and `service.url` under its full name. */
export type Scope = Readonly<Record<string, unknown>>;

export interface Resolved {
  readonly value: unknown;
  /** References without a value, such as `accepted.result.session`. */
  readonly missing: readonly string[];
}

/** Names of the second scope take precedence. */
export function resolveInScope(value: unknown, scope: Scope, also?: Scope): Resolved {
  const missing: string[] = [];
  const find: Find = (reference, path) => {
    const found = also && lookUp(reference, path, also);
    return found === undefined ? lookUp(reference, path, scope) : found;
  };
  return { value: walk(value, find, missing), missing };
}

/** Like `resolveInScope`, for patterns: the value of a reference is data to be equal to, never an operator. */
export function resolvePattern(pattern: unknown, scope: Scope): Resolved {
  const missing: string[] = [];
  const find: Find = (reference, path) => lookUp(reference, path, scope);
  const resolve = (inner: unknown, spot: Spot): unknown => {
    const { key, isLiteral } = spot;
    if (Array.isArray(inner)) {
      const item: Spot = { key: '', isLiteral, isPart: key === '$contains' };
      return inner.map((one) => resolve(one, item));
    }
    if (isContainer(inner))
      return Object.fromEntries(
        Object.entries(inner).map(([name, value]) => [
          name,
          resolve(value, { key: name, isLiteral: isLiteral || literalOperators.includes(name) }),
        ]),
      );
    if (isLiteral || !hasReference(inner)) return walk(inner, find, missing);
    const filled = fillIn(inner, find, missing, key === '$regex' ? 'expression' : undefined);
    if (spot.isPart || partOperators.includes(key)) missing.push(...emptyParts(inner, filled));
    return asData(filled, key);
  };
  return { value: resolve(pattern, { key: '', isLiteral: false }), missing };
}

/** Where a part of a pattern is. */
interface Spot {
  /** The key that holds it; empty for an element of a list. */
  readonly key: string;
  readonly isLiteral: boolean;
  /** An element of a list of parts. */
  readonly isPart?: boolean;
}

/** The query of an observer: `where` is a pattern, and `forms` says which of the other texts are read how. */
export function resolveQuery(
  { where, ...query }: Readonly<Record<string, unknown>>,
  scope: Scope,
  forms: Readonly<Record<string, TextForm>> = {},
): Resolved {
  const missing: string[] = [];
  const find: Find = (reference, path) => lookUp(reference, path, scope);
  const asked = Object.entries(query).map(([key, value]) => {
    const form = Object.hasOwn(forms, key) ? forms[key] : undefined;
    if (form === undefined || !hasReference(value)) return [key, walk(value, find, missing)];
    const filled = fillIn(value, find, missing, form);
    if (form === 'expression') missing.push(...emptyParts(value, filled));
    return [key, filled];
  });
  const condition = resolvePattern(where, scope);
  return {
    value: { ...Object.fromEntries(asked), ...(where === undefined ? {} : { where: condition.value }) },
    missing: [...missing, ...condition.missing],
  };
}

/** Every text has the empty one as a part: it shows nothing, and counts as missing. */
function emptyParts(text: string, filled: unknown): readonly string[] {
  return filled === '' ? referencesIn(text).map(({ reference }) => reference) : [];
}

/** Why a check is open whose reference is missing. */
export function whyMissing(reference: string, scope: Scope): string {
  return `\${${reference}} ${isEmptyValue(reference, scope) ? 'is empty, and so is found in every text' : 'has no value'}`;
}

export function isEmptyValue(reference: string, scope: Scope): boolean {
  return resolveInScope(`\${${reference}}`, scope).value === '';
}

/** In their operands a `$` has no meaning anyway. */
const literalOperators: readonly string[] = ['$eq', '$ne'];
/** Their operands are parts of a text. */
const partOperators: readonly string[] = ['$contains', '$startsWith', '$endsWith', '$regex'];
/** Their operands are lists of patterns. */
const listOperators: readonly string[] = ['$any', '$all', '$contains', '$unordered'];
/** Their operands are patterns, or lists of them. */
const patternOperators: readonly string[] = [
  ...listOperators,
  '$not',
  '$each',
  '$some',
  '$length',
  '$overlap',
];

/** `key` is the key that holds the reference. */
function asData(filled: unknown, key: string): unknown {
  if (!isContainer(filled)) return filled;
  // Paths are written in the trial; a text from a reference is not one, and is reported as a mistake.
  if (key === '$path') return JSON.stringify(filled);
  if (key.startsWith('$') && !patternOperators.includes(key)) return filled;
  if (Array.isArray(filled) && listOperators.includes(key)) return filled.map((item) => asData(item, ''));
  return { $eq: filled };
}

/** Every reference in a value. */
export function referencesIn(value: unknown): ReferencePart[] {
  if (typeof value === 'string')
    return value.includes('${') ? parseReferences(value).filter(isReference) : [];
  if (!isContainer(value)) return [];
  return Object.values(value).flatMap(referencesIn);
}

type Find = (reference: string, path: readonly string[]) => unknown;

function walk(value: unknown, find: Find, missing: string[]): unknown {
  return mapTexts(value, (text) => (hasReference(text) ? fillIn(text, find, missing) : text));
}

function hasReference(value: unknown): value is string {
  return typeof value === 'string' && value.includes('${');
}

/** In a text of a form, values are data. */
function fillIn(text: string, find: Find, missing: string[], form?: TextForm): unknown {
  const parts = parseReferences(text);
  const values = parts.map((part) => {
    if (!isReference(part)) return part.text;
    const found = find(part.reference, part.path);
    const value = found === undefined ? part.fallback : found;
    if (value === undefined) missing.push(part.reference);
    return value;
  });
  const [only] = parts;
  if (parts.length === 1 && only && isReference(only)) {
    const isPattern = form === undefined || only.path[0] === 'case' || typeof values[0] !== 'string';
    return isPattern ? values[0] : escapeFor(form, values[0] as string, '');
  }
  return values.reduce<string>((before, value, index) => {
    const isData = form !== undefined && isReference(parts[index] as Part);
    return before + (isData ? escapeFor(form, asText(value), before) : asText(value));
  }, '');
}

const mostNames = 20;

/** What there is at the place where a reference has no value: `ticket.json.id` and its neighbours for `ticket.json.idd`. */
export function namesBeside(reference: string, scope: Scope): readonly string[] {
  let value: unknown = scope;
  const path: string[] = [];
  for (const step of reference.split('.')) {
    if (!isContainer(value) || !Object.hasOwn(value, step)) break;
    value = Reflect.get(value, step);
    path.push(step);
  }
  if (!isContainer(value)) return [path.join('.')];
  const names = Object.keys(value).slice(0, mostNames);
  return names.map((name) => [...path, name].join('.'));
}

/** An address is stored under its full name; everything else is found step by step. */
function lookUp(reference: string, path: readonly string[], scope: Scope): unknown {
  if (Object.hasOwn(scope, reference)) return scope[reference];
  let value: unknown = scope;
  for (const step of path) {
    if (!isContainer(value) || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
