/** What a pattern claims about the places of a value, and the values just beyond the boundary of each claim. */
import { matchPattern } from '../match-pattern.ts';
import { isOperatorKey } from '../operators/operator-table.ts';
import { toOrdered } from '../ordered-value.ts';
import { childPlace, elementPlaces, type Place, rootPlace } from '../place.ts';
import { isPlainMap, kindOf, type PlainMap, toPlain } from '../plain-value.ts';
import { printValue } from '../print-value.ts';
import { type PathKey, parsePath } from '../value-path.ts';
import { exampleOf } from './example-of.ts';
import { type Mutant, type MutantKind, valueAt } from './mutant.ts';
import { isNear, isPossibleNumber } from './numbers-of.ts';
import { textThatFits } from './text-that-fits.ts';

export interface Claims {
  /** Where it explicitly requires presence, or a type. */
  readonly presence: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  /** Where it says which elements there are, not only what each of them is like. */
  readonly lists: ReadonlySet<string>;
  /** Where it says how many there are. */
  readonly lengths: ReadonlySet<string>;
  /** Every place that it refers to. */
  readonly mentioned: ReadonlySet<string>;
  /** Places that several alternatives mention beside others: the claim depends on the alternative. */
  readonly alternatives: ReadonlySet<string>;
  /** Where it only says that a value is less or more than another. */
  readonly ordered: ReadonlySet<string>;
  /** Words that it looks for in a text. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** Mutants that only the pattern itself suggests. */
  readonly contrary: readonly Mutant[];
}

const mostContrary = 200;

export function claimsOf(pattern: unknown, value: unknown): Claims {
  const found: Found = {
    presence: new Set(),
    types: new Set(),
    lists: new Set(),
    lengths: new Set(),
    mentioned: new Set(),
    alternatives: new Set(),
    ordered: new Set(),
    words: new Map(),
    contrary: [],
  };
  walk(pattern, rootPlace(value), found);
  return { ...found, contrary: found.contrary.slice(0, mostContrary) };
}

interface Found {
  readonly presence: Set<string>;
  readonly types: Set<string>;
  readonly lists: Set<string>;
  readonly lengths: Set<string>;
  readonly mentioned: Set<string>;
  readonly alternatives: Set<string>;
  readonly ordered: Set<string>;
  readonly words: Map<string, readonly string[]>;
  readonly contrary: Mutant[];
}

function walk(pattern: unknown, place: Place, found: Found): void {
  if (found.contrary.length > mostContrary) return;
  const plain = toPlain(pattern);
  if (Array.isArray(plain)) {
    found.lists.add(place.path);
    if (plain.length === 0) found.lengths.add(place.path);
    for (const [index, inner] of plain.entries()) walk(inner, childPlace(place, index), found);
    return;
  }
  if (!isPlainMap(plain)) {
    found.mentioned.add(place.path);
    return;
  }
  if (Object.keys(plain).length > 0 && Object.keys(plain).every((key) => ordering.has(key)))
    found.ordered.add(place.path);
  for (const [key, inner] of Object.entries(plain)) {
    if (isOperatorKey(key)) walkOperator(key, inner, place, found);
    else walk(inner, childPlace(place, key), found);
  }
}

function walkOperator(key: string, operand: unknown, place: Place, found: Found): void {
  const contradict = (value: unknown, literals: readonly unknown[] = [], forbidden?: unknown): void => {
    const mutant = oppositeMutant(place, value, literals);
    if (mutant) found.contrary.push({ ...mutant, needs: newPlaces(forbidden, place) });
  };
  if (!joining.has(key)) found.mentioned.add(place.path);
  const words = wordsIn(key, operand, place);
  if (words.length > 0) found.words.set(place.path, words);
  switch (key) {
    case '$present':
      found.presence.add(place.path);
      break;
    case '$type':
      found.types.add(place.path);
      break;
    case '$absent':
      contradict('something');
      break;
    case '$ne':
      contradict(operand, literalsIn(operand));
      break;
    case '$not':
      for (const forbidden of alternativesOf(operand))
        contradict(exampleOf(forbidden, place.value), literalsIn(forbidden), forbidden);
      break;
    case '$any':
      walkAlternatives(operand as readonly unknown[], place, found);
      break;
    case '$all':
      for (const inner of operand as readonly unknown[]) walk(inner, place, found);
      break;
    case '$length':
      for (const length of lengthsBeyond(operand)) contradict(ofLength(length, place.value));
      found.lists.add(place.path);
      found.lengths.add(place.path);
      break;
    case '$overlap':
      found.lists.add(place.path);
      found.lengths.add(place.path);
      break;
    case '$eq':
      if (Array.isArray(operand)) found.lists.add(place.path);
      break;
    case '$each':
    case '$some':
      if (key === '$some') found.lists.add(place.path);
      for (const element of elementPlaces(place) ?? []) walk(operand, element, found);
      break;
    case '$unordered':
    case '$contains':
      found.lists.add(place.path);
      walkElements(operand, place, found);
      break;
    case '$path':
      walkPaths(operand as PlainMap, place, found);
      break;
    default:
      for (const bound of boundsOf(key, operand)) contradict(bound);
  }
}

/** Each way in which it would be fulfilled. */
function alternativesOf(pattern: unknown): readonly unknown[] {
  return isPlainMap(pattern) && Array.isArray(pattern.$any) ? pattern.$any : [pattern];
}

const mostElements = 200;

/** Lengths just beyond the bounds; the exact one is covered by one more and one less. */
function lengthsBeyond(operand: unknown): readonly number[] {
  if (!isPlainMap(operand)) return [];
  return Object.entries(operand)
    .flatMap(([key, bound]) => boundsOf(key, bound))
    .filter(
      (length): length is number => typeof length === 'number' && length >= 0 && length <= mostElements,
    );
}

function ofLength(length: number, value: unknown): unknown {
  if (typeof value === 'string') return 'x'.repeat(length);
  if (!Array.isArray(value)) return undefined;
  return Array.from({ length }, (_, index) => value[index] ?? value[0] ?? { strange: true });
}

const ordering = new Set(['$lt', '$lte', '$gt', '$gte', '$between']);

/** Operators that say nothing about the place itself. */
const joining = new Set(['$any', '$all', '$path']);

/** Beside a required text, `{ $type: string }` is not an explicit claim: it accepts every other text. */
function walkAlternatives(branches: readonly unknown[], place: Place, found: Found): void {
  const wantsOne = branches.some((branch) => !isPlainMap(toPlain(branch)));
  const value = branches.flatMap((branch) => {
    if (wantsOne && isKindAlone(branch)) return [];
    const mentioned = new Set<string>();
    walk(branch, place, { ...found, mentioned });
    return [mentioned];
  });
  const all = value.flatMap((mentioned) => [...mentioned]);
  for (const path of all) found.mentioned.add(path);
  if (found.mentioned.size < 2 || new Set(all).size < 2) return;
  for (const path of all) if (all.indexOf(path) !== all.lastIndexOf(path)) found.alternatives.add(path);
}

function isKindAlone(branch: unknown): boolean {
  const plain = toPlain(branch);
  return isPlainMap(plain) && Object.keys(plain).every((key) => key === '$type' || key === '$present');
}

function walkElements(operand: unknown, place: Place, found: Found): void {
  const patterns = Array.isArray(operand) ? operand : [operand];
  for (const element of elementPlaces(place) ?? [place])
    for (const inner of patterns) walk(inner, element, found);
}

function walkPaths(paths: PlainMap, place: Place, found: Found): void {
  for (const [path, inner] of Object.entries(paths)) {
    const keys = parsePath(path);
    if (keys) walk(inner, keys.reduce<Place>(childPlace, place), found);
  }
}

/** Only for an expression without special characters except anchors. */
function plainWords(expression: string): readonly string[] {
  const word = expression.replace(/^\^/, '').replace(/\$$/, '');
  return word === '' || /[\\^$.*+?()[\]{}|]/.test(word) ? [] : [word];
}

/** Only if they occur in a text, literally. */
function wordsIn(key: string, operand: unknown, { value }: Place): readonly string[] {
  if (typeof value !== 'string') return [];
  if (key === '$regex') return plainWords(String(operand));
  if (!['$contains', '$startsWith', '$endsWith'].includes(key)) return [];
  return (Array.isArray(operand) ? operand : [operand]).filter((word) => typeof word === 'string');
}

/** Where a forbidden pattern looks and nothing exists. */
function newPlaces(forbidden: unknown, place: Place): readonly string[] {
  if (!isPlainMap(forbidden) && !Array.isArray(forbidden)) return [];
  const example = exampleOf(forbidden, place.value);
  return matchPattern(forbidden, example)
    .reads.filter((path) => valueAt(place.value, parsePath(path) ?? []) === undefined)
    .map((path) => `${place.path}${path.slice(1)}`);
}

/** The texts and numbers that a pattern looks for; bounds do not count. */
export function literalsIn(pattern: unknown): readonly unknown[] {
  if (Array.isArray(pattern)) return pattern.flatMap(literalsIn);
  if (!isPlainMap(pattern)) return typeof pattern === 'boolean' || pattern === null ? [] : [pattern];
  return Object.entries(pattern).flatMap(([key, inner]) => {
    if (bounds.has(key) || key === '$type' || key === '$flags') return [];
    if (key === '$regex') return [textThatFits(String(inner)) ?? ''];
    return key === '$path' ? Object.values(inner as PlainMap).flatMap(literalsIn) : literalsIn(inner);
  });
}

const bounds = new Set([
  '$lt',
  '$lte',
  '$gt',
  '$gte',
  '$between',
  '$length',
  '$overlap',
  '$present',
  '$absent',
  '$hmac',
]);

/** The nearest values on the other side of the bound. */
function boundsOf(key: string, operand: unknown): readonly unknown[] {
  const [from, to] = Array.isArray(operand) ? operand : [operand, operand];
  switch (key) {
    case '$lt':
      return [moved(to, 0)];
    case '$lte':
      return [moved(to, 1)];
    case '$gt':
      return [moved(from, 0)];
    case '$gte':
      return [moved(from, -1)];
    case '$between':
      return [moved(from, -1), moved(to, 1)];
    default:
      return [];
  }
}

function moved(bound: unknown, by: number): unknown {
  const value = toOrdered(bound)?.value;
  if (typeof value === 'bigint') return value + BigInt(by);
  return typeof value === 'number' ? value + by : bound;
}

function oppositeMutant(place: Place, value: unknown, literals: readonly unknown[]): Mutant | undefined {
  const keys = parsePath(place.path);
  if (value === undefined || keys === undefined || isTrue(place, value)) return undefined;
  if (typeof value === 'number' && !isPossible(value, place.value, keys.at(-1))) return undefined;
  if (isAgesAway(value, place.value)) return undefined;
  return { kind: kindOfMutant(place.value, value), keys, value, what: printValue(value), literals };
}

function isPossible(value: number, seen: unknown, key: PathKey | undefined): boolean {
  return isPossibleNumber(value, key, seen) && (typeof seen !== 'number' || isNear(value, seen, key));
}

const longestAwayMs = 100 * 366 * 24 * 60 * 60 * 1_000;

/** Two dates, a century apart. */
function isAgesAway(value: unknown, seen: unknown): boolean {
  const isDate = (one: unknown): one is string => typeof one === 'string' && /^\d{4}-\d\d-\d\d/.test(one);
  return isDate(value) && isDate(seen) && Math.abs(Date.parse(value) - Date.parse(seen)) > longestAwayMs;
}

function isTrue(place: Place, value: unknown): boolean {
  return JSON.stringify(place.value) === JSON.stringify(value);
}

function kindOfMutant(before: unknown, after: unknown): MutantKind {
  if (before === undefined) return 'extra';
  if (Array.isArray(before) && Array.isArray(after)) return 'list';
  return kindOf(before) === kindOf(after) || before === null ? 'value' : 'type';
}
