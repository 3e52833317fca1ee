/** Two runs side by side: the form of `report A B --json`. */
import type { Cost } from './cost.ts';
import type { Verdict } from './verdict.ts';

export interface RunComparison {
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  /** What may explain what changed: another revision, config, seed or variant. */
  readonly differences: readonly string[];
  /** Bad now, and not before. */
  readonly newFailures: readonly ComparedTrial[];
  /** Passed now, and did not before. */
  readonly fixed: readonly ComparedTrial[];
  readonly stillFailing: readonly ComparedTrial[];
  /** In one of the two only. */
  readonly added: readonly string[];
  readonly gone: readonly string[];
  /** Slower than in all stored runs, and by much. */
  readonly slower: readonly SlowerTrial[];
}

export interface ComparedRun {
  readonly run: string;
  readonly startedAt: string;
  readonly revision: string | null;
  readonly verdict: Verdict;
  readonly counts: Readonly<Record<string, number>>;
  readonly durationMs: number;
  readonly cost: Cost;
}

export interface ComparedTrial {
  readonly id: string;
  /** Null where it was not there. */
  readonly was: Verdict | null;
  readonly is: Verdict;
  /** One sentence. */
  readonly cause: string | null;
  readonly repro: string;
}

export interface SlowerTrial {
  readonly id: string;
  /** Of one attempt. */
  readonly beforeMs: number;
  readonly afterMs: number;
  /** Where it passed in runs before the second one. */
  readonly usual: { readonly runs: number; readonly leastMs: number; readonly mostMs: number };
}
