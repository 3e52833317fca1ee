/** Holds what a check expects against one value, and says where the two part. */
import { problemsIn } from '../kernel/problem.ts';
import { explainMismatch } from '../patterns/explain-mismatch.ts';
import { matchPattern } from '../patterns/match-pattern.ts';
import type { MatchResult } from '../patterns/match-result.ts';
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
  /** The first place where they part, such as `$.json.id`. */
  readonly at?: string;
  /** The match was given up at a limit, or looked at what was not kept: neither held nor not. */
  readonly undecided?: string;
  /** It does not hold, but what was not kept might have: no proof that something is not there. */
  readonly unsure?: string;
  /** The paths that were looked at. */
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
  if (!worst) return { held: true, expected: wanted({ expect, count }), observed: printValue(value), reads };
  return { ...toldApart(worst), reads };
}

/** A pattern was looked at when it was read; what spoils it since is what the system gave for a reference in it. */
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
      observed: `in the pattern, by what was filled in: ${what}`,
    };
    return { matched: false, mismatches: [mismatch], omitted: 0, reads: [] };
  }
}

function toldApart(result: MatchResult): Omit<Held, 'reads'> {
  const [first] = result.mismatches;
  const undecided = result.exceeded ?? result.open;
  return {
    held: false,
    expected: first?.expected ?? '',
    observed: first?.observed ?? '',
    explanation: explainMismatch(result),
    ...(first ? { at: first.path } : {}),
    ...(undecided === undefined ? {} : { undecided }),
    ...(result.doubt === undefined ? {} : { unsure: result.doubt }),
  };
}

export function wanted({ expect, count }: Expectation): string {
  const texts = [
    ...(count === undefined ? [] : [`${printValue(count)} of them`]),
    ...(expect === undefined ? [] : [printValue(expect)]),
  ];
  return texts.join(', ');
}
