/** Matches the expectation of a check with one value, and says where the two differ. */
import { defined } from '../kernel/defined.ts';
import { problemsIn } from '../kernel/problem.ts';
import { explainMismatch } from '../patterns/explain-mismatch.ts';
import { matchPattern } from '../patterns/match-pattern.ts';
import type { MatchResult, Mismatch } from '../patterns/match-result.ts';
import { patternLimits } from '../patterns/pattern-limits.ts';
import { isPlainMap } from '../patterns/plain-value.ts';
import { printValue } from '../patterns/print-value.ts';

export interface Expectation {
  readonly expect?: unknown;
  readonly count?: unknown;
}

export interface Held {
  readonly held: boolean;
  readonly expected: string;
  readonly observed: string;
  readonly explanation?: string;
  /** The first place where they differ, such as `$.json.id`. */
  readonly at?: string;
  /** The places where they differ, the first few. */
  readonly mismatches?: readonly Mismatch[];
  /** The match stopped at a limit, or read what was not kept: neither held nor not. */
  readonly undecided?: string;
  /** It does not hold, but the part that was not kept might have: no proof of absence. */
  readonly unsure?: string;
  /** The paths that were read. */
  readonly reads: readonly string[];
}

export function holdAgainst({ expect, count }: Expectation, value: unknown): Held {
  const results = [
    ...(count === undefined ? [] : [match({ $length: count }, value)]),
    ...(expect === undefined ? [] : [match(expect, value)]),
  ];
  const worst =
    results.find(({ exceeded }) => exceeded !== undefined) ??
    results.find(({ matched, open }) => !matched && open === undefined) ??
    results.find(({ matched }) => !matched);
  const reads = results.flatMap((result) => result.reads);
  if (worst) return { ...withDifference(worst), reads };
  return {
    held: true,
    // Most of what holds is never printed.
    get expected() {
      return wanted({ expect, count });
    },
    get observed() {
      return printValue(value);
    },
    reads,
  };
}

/** A pattern was validated when it was read; it can only become invalid by the value of a reference. */
function match(pattern: unknown, value: unknown): MatchResult {
  try {
    return matchPattern(pattern, value);
  } catch (error) {
    const [problem] = problemsIn(error);
    if (problem?.code !== 'config.bad-pattern') throw error;
    const { what, allowed } = problem;
    const mismatch = {
      path: '$',
      expected: allowed,
      observed: `in the pattern, after its references were resolved: ${what}`,
    };
    return { matched: false, mismatches: [mismatch], omitted: 0, reads: [] };
  }
}

function withDifference(result: MatchResult): Omit<Held, 'reads'> {
  const [first] = result.mismatches;
  const undecided = result.exceeded ?? result.open;
  return {
    held: false,
    expected: first?.expected ?? '',
    observed: first?.observed ?? '',
    explanation: explainMismatch(result),
    mismatches: result.mismatches.slice(0, patternLimits.explained).map(plainMismatch),
    ...defined({ at: first?.path, undecided, unsure: result.doubt }),
  };
}

/** Without what only the matcher needs. */
function plainMismatch({ path, expected, observed }: Mismatch): Mismatch {
  return { path, expected, observed };
}

export function wanted({ expect, count }: Expectation): string {
  const texts = [
    ...(count === undefined ? [] : [`${printValue(count)} of them`]),
    ...(expect === undefined ? [] : [printValue(expect)]),
  ];
  return texts.join(', ');
}

/** A condition in the spelling of values that fulfilled it: databases accept more spellings than patterns. */
export function speltLike(where: unknown, shown: unknown): unknown {
  if (holdAgainst({ expect: where }, shown).held) return where;
  if (!isPlainMap(where) || !isPlainMap(shown)) return { $eq: shown };
  return Object.fromEntries(
    Object.entries(where).map(([key, pattern]) => [
      key,
      Object.hasOwn(shown, key) ? speltLike(pattern, shown[key]) : pattern,
    ]),
  );
}
