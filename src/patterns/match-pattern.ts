/** Matches a pattern with a value: a scalar means equal, a map subset, a list exactly these, `$op` an operator. */
import { defined } from '../kernel/defined.ts';
import { isContainer } from '../kernel/exact-json.ts';
import { Problem, Problems } from '../kernel/problem.ts';
import { createRegexTester } from './bounded-regex.ts';
import { checkPattern, type PatternFault } from './check-pattern.ts';
import { lengthMismatches, matchLiteral, matchScalar } from './match-literal.ts';
import type { MatchResult, Mismatch } from './match-result.ts';
import type { Matching } from './operators/operator.ts';
import { isOperatorKey, operatorTable } from './operators/operator-table.ts';
import { patternLimits } from './pattern-limits.ts';
import { childPlace, elementPlaces, mismatchAt, notAMap, type Place, rootPlace } from './place.ts';
import { isPlainMap, type PlainMap, toPlain } from './plain-value.ts';
import { clipText, printValue } from './print-value.ts';
import { doubtIn, openIn } from './withheld.ts';

/** Never changes the value, and always ends. An invalid pattern is thrown as a problem. */
export function matchPattern(pattern: unknown, value: unknown): MatchResult {
  refuseBadPattern(pattern);
  const reads = new Set<string>();
  const place = rootPlace(value);
  try {
    const found = surestFirst(createMatching(reads).match(pattern, place));
    const open = openIn(found);
    const doubt = doubtIn(found);
    const mismatches = found.slice(0, patternLimits.mismatches);
    return {
      matched: found.length === 0,
      mismatches,
      omitted: found.length - mismatches.length,
      reads: [...reads],
      ...defined({ open, doubt }),
      ...(doubt !== undefined && found.some(({ isSlight }) => isSlight) ? { isSlight: true } : {}),
    };
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    const mismatches = [mismatchAt(error.place, `a match that stays within ${error.message}`)];
    return { matched: false, mismatches, omitted: 0, reads: [...reads], exceeded: error.message };
  }
}

/** One certain mismatch decides. */
function surestFirst(mismatches: readonly Mismatch[]): readonly Mismatch[] {
  const sure = mismatches.filter(({ open }) => open === undefined);
  return sure.length === mismatches.length
    ? mismatches
    : [...sure, ...mismatches.filter(({ open }) => open !== undefined)];
}

/** Thrown through every operator, so that a `$not` cannot turn an unfinished match into a fulfilled one. */
class LimitReached extends Error {
  readonly place: Place;

  constructor(limit: string, place: Place) {
    super(limit);
    this.place = place;
  }
}

function createMatching(reads: Set<string>): Matching {
  const regexes = createRegexTester();
  let steps = 0;
  const countStep = (place: Place): void => {
    steps += 1;
    if (steps > patternLimits.matchSteps)
      throw new LimitReached(`${patternLimits.matchSteps} comparisons`, place);
  };
  const read = (place: Place): void => void reads.add(place.path);
  const matching: Matching = {
    match: (pattern, place) => {
      countStep(place);
      return matchAny(pattern, place, matching);
    },
    equal: (literal, place) =>
      matchLiteral(literal, place, (visited) => {
        countStep(visited);
        read(visited);
      }),
    read,
    describe: describePattern,
    testRegex: (source, flags, text, place) => {
      const found = regexes.test(source, flags, text);
      if (found !== undefined) return found;
      const limit = `${patternLimits.regexTextChars} characters and ${patternLimits.regexMs} ms for /${source}/${flags}`;
      throw new LimitReached(limit, place);
    },
  };
  return matching;
}

function matchAny(pattern: unknown, place: Place, matching: Matching): readonly Mismatch[] {
  const plain = toPlain(pattern);
  if (Array.isArray(plain)) return matchList(plain, place, matching);
  if (isPlainMap(plain)) return matchMap(plain, place, matching);
  matching.read(place);
  return matchScalar(plain, place);
}

function matchList(patterns: readonly unknown[], place: Place, matching: Matching): readonly Mismatch[] {
  matching.read(place);
  const elements = elementPlaces(place);
  if (!elements) return [mismatchAt(place, matching.describe(patterns))];
  const shared = elements.slice(0, patterns.length);
  return [
    ...lengthMismatches(patterns.length, elements, place),
    ...shared.flatMap((element, index) => matching.match(patterns[index], element)),
  ];
}

function matchMap(pattern: PlainMap, place: Place, matching: Matching): readonly Mismatch[] {
  const keys = Object.keys(pattern);
  const plainKeys = keys.filter((key) => !isOperatorKey(key));
  const byOperators = keys.flatMap((key) => matchOperator(key, pattern, place, matching));
  if (keys.length > 0 && plainKeys.length === 0) return byOperators;
  if (!isPlainMap(place.value) || plainKeys.length === 0) matching.read(place);
  if (!isPlainMap(place.value)) return [...byOperators, notAMap(place, matching.describe(pattern))];
  return [
    ...byOperators,
    ...plainKeys.flatMap((key) => matching.match(pattern[key], childPlace(place, key))),
  ];
}

function matchOperator(
  key: string,
  pattern: PlainMap,
  place: Place,
  matching: Matching,
): readonly Mismatch[] {
  const operator = isOperatorKey(key) ? operatorTable.get(key) : undefined;
  if (!operator) return [];
  return operator.match(pattern[key], place, matching, operator.companion && pattern[operator.companion]);
}

/** What a pattern asks for, in a few words. */
function describePattern(pattern: unknown): string {
  if (!isPlainMap(pattern)) return printValue(pattern);
  const keys = Object.keys(pattern);
  if (keys.length === 0) return 'a map';
  if (!keys.every(isOperatorKey)) return printValue(pattern);
  const parts = keys.flatMap((key) => {
    const operator = operatorTable.get(key);
    if (!operator) return [];
    return [
      operator.describe(pattern[key], describePattern, operator.companion && pattern[operator.companion]),
    ];
  });
  return clipText(parts.join(' and '));
}

/** Script lines and checks with `within` are matched repeatedly. */
const good = new WeakSet<object>();

export function refuseBadPattern(pattern: unknown): void {
  if (isContainer(pattern) && good.has(pattern)) return;
  const [first, ...others] = checkPattern(pattern, 'resolved').map(toProblem);
  if (!first) {
    if (isContainer(pattern)) good.add(pattern);
    return;
  }
  throw others.length === 0 ? first : new Problems([first, ...others]);
}

function toProblem({ path, what, allowed, nearest }: PatternFault): Problem {
  return new Problem({
    code: 'config.bad-pattern',
    where: `pattern at ${path}`,
    what,
    allowed,
    next: nearest === undefined ? 'correct the pattern' : `write ${nearest}`,
  });
}
