/** A value that fulfils a pattern, made from one that does not: checks with `$not` or `never` must kill this mutant. */
import { createRegexTester } from '../bounded-regex.ts';
import { isOperatorKey } from '../operators/operator-table.ts';
import { toOrdered } from '../ordered-value.ts';
import { isPlainMap, type PlainMap } from '../plain-value.ts';
import { parsePath } from '../value-path.ts';
import { applyMutant, valueAt } from './mutant.ts';
import { textThatFits } from './text-that-fits.ts';

/** Best effort; the caller matches the result with the pattern. */
export function exampleOf(pattern: unknown, base: unknown): unknown {
  if (Array.isArray(pattern))
    return pattern.map((inner, index) =>
      exampleOf(inner, Array.isArray(base) ? (base[index] ?? base[0]) : undefined),
    );
  if (!isPlainMap(pattern)) return pattern;
  const keys = Object.keys(pattern);
  const byOperators = keys
    .filter(isOperatorKey)
    .reduce<unknown>((value, key) => exampleFor(key, pattern[key], value, pattern), base);
  const plain = keys.filter((key) => !isOperatorKey(key));
  if (plain.length === 0) return keys.length === 0 && !isPlainMap(base) ? {} : byOperators;
  return plain.reduce<PlainMap>(
    (map, key) => {
      const value = exampleOf(pattern[key], Object.hasOwn(map, key) ? map[key] : undefined);
      return applyMutant(map, { keys: [key], value }) as PlainMap;
    },
    isPlainMap(byOperators) ? byOperators : {},
  );
}

function exampleFor(key: string, operand: unknown, base: unknown, pattern: PlainMap): unknown {
  switch (key) {
    case '$eq':
      return operand;
    case '$ne':
      return base === operand || base === undefined ? 'something else' : base;
    case '$any':
      return exampleOf((operand as readonly unknown[])[0], base);
    case '$all':
      return (operand as readonly unknown[]).reduce<unknown>((value, inner) => exampleOf(inner, value), base);
    case '$not':
      return base ?? 'something else';
    case '$lt':
    case '$gt':
    case '$lte':
    case '$gte':
      return beside(operand, { $lt: -1, $gt: 1, $lte: 0, $gte: 0 }[key]);
    case '$between':
      return (operand as readonly unknown[])[0];
    case '$regex':
      return withText(textThatFits(String(operand), String(pattern.$flags ?? '')), operand, pattern, base);
    case '$startsWith':
      return `${String(operand)}…`;
    case '$endsWith':
      return `${typeof base === 'string' ? base : '…'}${String(operand)}`;
    case '$contains':
      return containing(operand, base);
    case '$each':
    case '$some':
      return [...(key === '$some' && Array.isArray(base) ? base : []), exampleOf(operand, firstOf(base))];
    case '$unordered':
      return exampleOf(operand, base);
    case '$length':
      return ofLength(Number(exampleOf(operand, 1)), base);
    case '$type':
      return byType[String(operand)];
    case '$present':
      return base ?? 'something';
    case '$absent':
      return undefined;
    case '$path':
      return atPaths(operand as PlainMap, base);
    default:
      return base;
  }
}

/** As a part of the text that was there, where the expression allows it. */
function withText(
  text: string | undefined,
  operand: unknown,
  { $flags = '' }: PlainMap,
  base: unknown,
): unknown {
  if (text === undefined || typeof base !== 'string') return text;
  const regexes = createRegexTester();
  const fits = (one: string): boolean => regexes.test(String(operand), String($flags), one) === true;
  return [base + text, text + base].find(fits) ?? text;
}

function firstOf(base: unknown): unknown {
  return Array.isArray(base) ? base[0] : undefined;
}

/** The bound, or just beyond it. */
function beside(bound: unknown, step: number): unknown {
  if (typeof bound === 'number') return bound + step;
  const ordered = toOrdered(bound);
  if (typeof ordered?.value === 'bigint') return ordered.value + BigInt(step);
  return typeof ordered?.value === 'number' ? ordered.value + step : bound;
}

function containing(operand: unknown, base: unknown): unknown {
  const wanted = Array.isArray(operand) ? operand : [operand];
  if (Array.isArray(base)) return [...base, ...wanted.map((inner) => exampleOf(inner, base[0]))];
  if (wanted.every((inner) => typeof inner === 'string'))
    return [typeof base === 'string' ? base : '', ...wanted].join(' ');
  return exampleOf(operand, base);
}

function ofLength(length: number, base: unknown): unknown {
  const count = Number.isFinite(length) ? Math.min(Math.max(Math.round(length), 0), 1_000) : 0;
  if (typeof base === 'string') return 'x'.repeat(count);
  return Array.from({ length: count }, (_, index) =>
    Array.isArray(base) ? (base[index] ?? base[0]) : index,
  );
}

const byType: Readonly<Record<string, unknown>> = {
  string: 'something',
  number: 7.5,
  integer: 7,
  boolean: true,
  object: { something: true },
  array: ['something'],
  null: null,
};

function atPaths(paths: PlainMap, base: unknown): unknown {
  return Object.entries(paths).reduce<unknown>((value, [path, inner]) => {
    const keys = parsePath(path);
    return keys ? applyMutant(value, { keys, value: exampleOf(inner, valueAt(value, keys)) }) : value;
  }, base);
}
