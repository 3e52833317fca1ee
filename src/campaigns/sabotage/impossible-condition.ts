/** An absence whose condition nothing can fulfil: a misspelt value, an id in the wrong column, an impossible bound. */
import { isContainer } from '../../kernel/exact-json.ts';
import { editDistance } from '../../kernel/nearest.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import { literalsIn } from '../../patterns/mutants/claims-of.ts';
import { pathOf, valueAt } from '../../patterns/mutants/mutant.ts';
import { isOperatorKey } from '../../patterns/operators/operator-table.ts';
import { isPlainMap } from '../../patterns/plain-value.ts';
import { printValue } from '../../patterns/print-value.ts';
import type { PathKey } from '../../patterns/value-path.ts';
import { canBe, fulfils, type Leaf, type Looked } from './can-be.ts';
import { couldMean, declaredWords } from './declared-away.ts';
import { hasTrouble, misspeltTrouble } from './misspelt-trouble.ts';
import type { RunFacts } from './run-facts.ts';
import { areApart, type NamedValues, neverSent } from './source-facts.ts';
import { isOtherwiseSpelt, isOutOfReach } from './spelt-otherwise.ts';

/** One sentence; undefined where something of the same source could fulfil the condition. */
export function impossibleCondition(looked: Looked, named: NamedValues, facts: RunFacts): string | undefined {
  if (!looked.absence) return undefined;
  const trouble = filtersOf(looked)
    .map((leaf) => misspeltTrouble(leaf, facts))
    .find((word) => word !== undefined);
  if (trouble !== undefined)
    return `it selects by \`${trouble}\`, which no system prints when something is wrong; is it spelled correctly?`;
  const elements = facts.elements(looked.source);
  if (elements.length === 0) return undefined;
  for (const { keys, pattern } of [
    ...leavesOf(looked.where),
    ...leavesOf(forbidden(looked)),
    ...filtersOf(looked),
  ]) {
    if (elements.some((element) => fulfils(pattern, valueAt(element, keys)))) continue;
    const away = declaredAway({ pattern, keys }, looked, facts);
    if (away !== undefined) return away;
    if (hasTrouble(pattern)) continue;
    const why = canBe({ pattern, keys }, elements, looked)
      ? whyNever(pattern, keys, elements, { looked, named, facts })
      : 'for a value that it cannot have';
    if (why !== undefined) return `it selects by \`${pathOf(keys).slice(2)}\`, ${why}`;
  }
  return undefined;
}

/** The source refuses every value that could fulfil the condition, in one sentence. */
function declaredAway({ pattern, keys }: Leaf, looked: Looked, facts: RunFacts): string | undefined {
  const fields = facts.declaredAt(looked.source);
  const [name, ...inner] = keys;
  const field = typeof name === 'string' && inner.length === 0 ? fields[name] : undefined;
  if (typeof name !== 'string' || field === undefined) return undefined;
  const elements = facts.elements(looked.source);
  if (canBe({ pattern, keys }, elements, looked, (value) => couldMean(field, value))) return undefined;
  return `it selects by \`${name}\`, for a value that it cannot have: ${declaredWords(looked.source, name, fields)}`;
}

/** Each condition on one place by itself: elements that fulfil all of them together need not have been seen. */
function leavesOf(where: unknown, keys: readonly PathKey[] = []): readonly Leaf[] {
  if (!isPlainMap(where)) return keys.length === 0 ? [] : [{ keys, pattern: where }];
  if (Array.isArray(where.$all) && Object.keys(where).length === 1) return together(where.$all, keys);
  const entries = Object.entries(where);
  if (entries.some(([key]) => isOperatorKey(key))) return keys.length === 0 ? [] : [{ keys, pattern: where }];
  return entries.flatMap(([key, inner]) => leavesOf(inner, [...keys, key]));
}

/** Conditions on one place must hold at once. */
function together(all: readonly unknown[], keys: readonly PathKey[]): readonly Leaf[] {
  const leaves = all.flatMap((one) => leavesOf(one, keys));
  const places = Map.groupBy(leaves, (leaf) => pathOf(leaf.keys));
  return [...places.values()].flatMap((some) => {
    const [first] = some;
    if (!first) return [];
    return [
      some.length === 1 ? first : { keys: first.keys, pattern: { $all: some.map(({ pattern }) => pattern) } },
    ];
  });
}

/** What no element may be like. */
function forbidden({ mode, expectation: { expect } }: Looked): unknown {
  return mode === 'never' && isPlainMap(expect) ? expect.$some : undefined;
}

export function filtersOf({ kind, question = {} }: Looked): readonly Leaf[] {
  const { filters, sourceKey } = checkKind(kind) ?? {};
  // A glob is a part of the source, of which something was seen.
  if (sourceKey !== undefined) return [];
  return (filters?.(question) ?? []).map(([key, $regex]) => ({ keys: [key], pattern: { $regex } }));
}

interface Known {
  readonly looked: Looked;
  readonly named: NamedValues;
  readonly facts: RunFacts;
}

function whyNever(
  pattern: unknown,
  keys: readonly PathKey[],
  elements: readonly unknown[],
  { looked, named, facts }: Known,
): string | undefined {
  const seen = elements.map((element) => valueAt(element, keys)).filter((value) => value !== undefined);
  if (seen.length === 0)
    return facts.isKnownPlace(looked, pathOf([0, ...keys])) || checkKind(looked.kind)?.comparesAsSql
      ? undefined
      : 'but nothing in this run has such a field';
  const isWhole = !isContainer(pattern);
  const literals = isWhole ? [pattern] : literalsIn(pattern);
  const there = facts.namesAt(looked.source, keys);
  const wrong = literals.find((literal) => isElsewhere(literal, keys, there, named));
  if (wrong !== undefined && named(wrong)?.has(neverSent)) return `but no step has sent ${printValue(wrong)}`;
  if (wrong !== undefined) return `where ${printValue(wrong)} never is: it was sent as something else`;
  const strange = literals.find(
    (literal) =>
      (isConstant(literal, named) && isStrange(literal, pattern, seen, keys, facts)) ||
      (isWhole && named(literal) === undefined && isOutOfReach(literal, keys, seen)),
  );
  return strange === undefined
    ? undefined
    : `but ${printValue(strange)} was never seen in this run; is it spelled correctly?`;
}

/** What stands there was sent under other names than this value was, which is not called as the place either. */
function isElsewhere(
  literal: unknown,
  keys: readonly PathKey[],
  there: ReadonlySet<string>,
  named: NamedValues,
): boolean {
  const names = named(literal);
  if (names === undefined || [...names].some((name) => plainName(name) === plainName(keys.at(-1))))
    return false;
  return areApart(names, there);
}

/** `customerId` is `customer_id`. */
function plainName(name: PathKey | undefined): string {
  return String(name).replaceAll(/[_-]/g, '').toLowerCase();
}

function isConstant(literal: unknown, named: NamedValues): boolean {
  return typeof literal === 'string' && literal !== '' && named(literal) === undefined;
}

function isStrange(
  literal: unknown,
  pattern: unknown,
  seen: readonly unknown[],
  keys: readonly PathKey[],
  facts: RunFacts,
): boolean {
  if (keys.includes('headers') || keys.includes('statement')) return false;
  const isWhole = !isContainer(pattern);
  const text = String(literal);
  if (!facts.isInSources(text) && isOtherwiseSpelt(text, pattern, seen)) return true;
  // An expression stands for other numbers, too.
  if (!isWhole && seen.some((one) => withoutDigits(String(one)).includes(withoutDigits(text)))) return false;
  const words = wordsIn(literal);
  // Stack frames, suffixes of files: too short to be misspelt.
  if (words.length > 0 && words.every((word) => word.length < 4)) return false;
  if (facts.isInSources(text)) return false;
  if (isWhole && facts.isForeignWord(text, seen)) return true;
  return isMisspelt(text, seen) || !facts.isKnownValue(literal, isWhole);
}

function withoutDigits(text: string): string {
  return text.replaceAll(/\d/g, '0');
}

const leastChars = 5;

/** One letter from a word that stands there. */
export function isMisspelt(text: string, seen: readonly unknown[]): boolean {
  const there = new Set(seen.flatMap((value) => wordsIn(value)));
  return wordsIn(text).some(
    (word) =>
      word.length >= leastChars &&
      !there.has(word) &&
      [...there].some(
        (known) =>
          known.length >= leastChars &&
          Math.abs(known.length - word.length) <= 1 &&
          editDistance(known, word) === 1,
      ),
  );
}

/** Digits make different names; letters make different words. */
function wordsIn(value: unknown): readonly string[] {
  return typeof value === 'string'
    ? (value.slice(0, 2_000).match(/(?<![\p{L}\d])\p{L}+(?![\p{L}\d])/gu) ?? [])
    : [];
}
