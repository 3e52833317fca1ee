/** Whether any value could fulfil a condition: not one that contradicts itself, the query, or what our own side counts. */
import { isContainer } from '../../kernel/exact-json.ts';
import { checkKind, fieldNamed } from '../../kinds/check-kinds.ts';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import { matchPattern } from '../../patterns/match-pattern.ts';
import { literalsIn } from '../../patterns/mutants/claims-of.ts';
import { exampleOf } from '../../patterns/mutants/example-of.ts';
import { valueAt } from '../../patterns/mutants/mutant.ts';
import { isNear, isPossibleNumber } from '../../patterns/mutants/numbers-of.ts';
import { textThatFits } from '../../patterns/mutants/text-that-fits.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import type { CheckUnderTest } from './check-under-test.ts';

export type Looked = Pick<
  CheckUnderTest,
  'kind' | 'source' | 'where' | 'question' | 'absence' | 'mode' | 'expectation'
>;

/** A condition on one place of an element. */
export interface Leaf {
  readonly keys: readonly PathKey[];
  readonly pattern: unknown;
}

/** `isAllowed`: by the source itself. */
export function canBe(
  { pattern, keys }: Leaf,
  elements: readonly unknown[],
  looked: Looked,
  isAllowed: (value: unknown) => boolean = () => true,
): boolean {
  const seen = elements.map((element) => valueAt(element, keys)).filter((value) => value !== undefined);
  if (seen.length === 0) return true;
  const expression = isPlainMap(pattern) ? pattern.$regex : undefined;
  if (typeof expression === 'string' && !isSatisfiable(expression, looked.kind)) return false;
  // An expression that is too complex for an example may still have one.
  if (typeof expression === 'string' && textThatFits(expression) === undefined) return true;
  const isFitting = fitting(keys, seen, looked);
  return candidates(pattern, seen).some(
    (value) => fulfils(pattern, value) && isFitting(value) && isAllowed(value),
  );
}

/** Something after the end, a line end within a line, or a look-ahead that forbids even nothing. */
function isSatisfiable(expression: string, kind: string): boolean {
  const plain = expression.replaceAll(/\\[^n]/g, '_').replaceAll(/\[[^\]]*\]/g, '_');
  if (/\$(?=[\w \-.])/.test(plain) || /\(\?!(?:[^()]*\|)?\)/.test(plain)) return false;
  return !checkKind(kind)?.isByLine || !/\\n|\n/.test(plain);
}

/** Values at and beside every bound, every literal, and what was seen. */
function candidates(pattern: unknown, seen: readonly unknown[]): readonly unknown[] {
  if (!isContainer(pattern)) return [pattern];
  const bounds = boundsIn(pattern);
  const numbers = bounds.filter((bound) => typeof bound === 'number');
  const moments = bounds.map((bound) => Date.parse(String(bound))).filter((moment) => !Number.isNaN(moment));
  const between = (some: readonly number[]): number[] =>
    some.length < 2 ? [] : [(Math.min(...some) + Math.max(...some)) / 2];
  return [
    ...seen.slice(0, 20),
    ...seen.slice(0, 3).map((base) => exampleOf(pattern, base)),
    exampleOf(pattern, undefined),
    ...literalsIn(pattern),
    ...seen.slice(0, 5).flatMap((text) => around(exampleOf(pattern, undefined), text)),
    ...bounds,
    ...[...numbers, ...between(numbers)].flatMap((bound) => [bound, bound - 1, bound + 1]),
    ...[...moments, ...between(moments)]
      .flatMap((at) => [at - 1_000, at, at + 1_000])
      .map((at) => new Date(at).toISOString()),
  ];
}

/** A part of a text may be all that is asked for. */
function around(part: unknown, text: unknown): readonly string[] {
  return typeof part === 'string' && typeof text === 'string' ? [text + part, part + text] : [];
}

function boundsIn(pattern: unknown): readonly unknown[] {
  if (!isContainer(pattern)) return [pattern];
  return Object.values(pattern).flatMap(boundsIn);
}

/** What our own side decides of it. */
function fitting(
  keys: readonly PathKey[],
  seen: readonly unknown[],
  { kind, question = {} }: Looked,
): (value: unknown) => boolean {
  const name = String(keys.at(-1));
  const field = keys.length === 1 ? fieldNamed(kind, name) : undefined;
  const { edge, filters } = checkKind(kind) ?? {};
  const expressions = keys.length === 1 ? (filters?.(question) ?? []).filter(([key]) => key === name) : [];
  const base = seen.find((value) => typeof value === 'number');
  return (value) => {
    if (field?.origin === 'request') return seen.includes(value);
    if (seen.every((one) => typeof one === 'boolean') && !/^(?:true|false|null)$/.test(String(value)))
      return false;
    if (
      edge &&
      keys.length === 1 &&
      name === 'path' &&
      typeof value === 'string' &&
      seen.every((one) => String(one).startsWith('/'))
    )
      return value.startsWith('/');
    if (typeof value === 'number' && typeof base === 'number') {
      const isOurs = field?.isCounter === true || field?.origin === 'measured';
      if (value < (field?.isCounter ? 1 : isOurs ? 0 : Number.NEGATIVE_INFINITY)) return false;
      if (!isPossibleNumber(value, keys.at(-1), base) || !isNear(value, base, keys.at(-1))) return false;
    }
    return expressions.every(([, $regex]) => fulfils({ $regex }, value));
  };
}

/** Values as a database prints them: a number may be written as a text. */
export function fulfils(pattern: unknown, value: unknown): boolean {
  if (value === undefined) return false;
  if (!isContainer(pattern)) return String(pattern) === String(value);
  const { $regex, $flags = '' } = pattern as { readonly $regex?: unknown; readonly $flags?: unknown };
  if (typeof $regex === 'string')
    return typeof value === 'string' && createRegexTester().test($regex, String($flags), value) === true;
  return matchPattern(pattern, value).matched;
}
