/** Resolves `${…}` from the values of an attempt; a value that is a single reference keeps its type. */
import { isContainer } from '../kernel/exact-json.ts';
import { asText, isReference, mapTexts, parseReferences, type ReferencePart } from '../kernel/references.ts';

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
  const resolve = (inner: unknown, under: string): unknown => {
    if (Array.isArray(inner)) return inner.map((item) => resolve(item, under === 'literal' ? under : ''));
    if (isContainer(inner))
      return Object.fromEntries(
        Object.entries(inner).map(([key, value]) => [
          key,
          resolve(value, under === 'literal' || literalOperators.includes(key) ? 'literal' : key),
        ]),
      );
    const filled = walk(inner, find, missing);
    return under === 'literal' || filled === inner ? filled : asData(filled, under);
  };
  return { value: resolve(pattern, ''), missing };
}

/** In their operands a `$` has no meaning anyway. */
const literalOperators: readonly string[] = ['$eq', '$ne'];
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
  return mapTexts(value, (text) => (text.includes('${') ? fillIn(text, find, missing) : text));
}

function fillIn(text: string, find: Find, missing: string[]): unknown {
  const parts = parseReferences(text);
  const [only] = parts;
  const values = parts.map((part) => {
    if (!isReference(part)) return part.text;
    const found = find(part.reference, part.path);
    const value = found === undefined ? part.fallback : found;
    if (value === undefined) missing.push(part.reference);
    return value;
  });
  if (parts.length === 1 && only && isReference(only)) return values[0];
  return values.map(asText).join('');
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
