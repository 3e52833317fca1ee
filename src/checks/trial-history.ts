/** What stored runs show about a trial over time: the form of the flake ledger. */
import type { CauseKind, Verdict } from './verdict.ts';

export interface FlakeLedger {
  /** Runs that were read. */
  readonly runs: number;
  /** Folders without usable results, each with the reason. */
  readonly unread: readonly UnreadRun[];
  /** Most urgent first. */
  readonly trials: readonly TrialHistory[];
}

export interface UnreadRun {
  readonly run: string;
  /** torn: cut off or damaged; foreign: not of this tool, or of another system; version: of another version of it; up: nothing was performed. */
  readonly kind: 'torn' | 'foreign' | 'version' | 'up';
  readonly why: string;
}

/**
 * flake: it held and failed while nothing had changed. suspect: it alternated, and the code may have changed
 * unnoticed.
 * regression: it held, and fails since. failing: it has never held. steady: the rest.
 */
export type HistoryState = 'flake' | 'suspect' | 'regression' | 'failing' | 'steady';

export interface TrialHistory {
  readonly id: string;
  readonly state: HistoryState;
  /** Why, in one sentence; null for what is steady. */
  readonly because: string | null;
  /** Runs in which it was selected. */
  readonly runs: number;
  /** Of these, by verdict; an expected failure counts as passed, a quarantined one as what it was. */
  readonly passed: number;
  readonly failed: number;
  readonly unstable: number;
  /** Skipped, or not decided. */
  readonly undecided: number;
  readonly lastSeen: { readonly run: string; readonly at: string; readonly verdict: Verdict };
  /** Where it both held and failed, newest first. */
  readonly alternations: readonly Alternation[];
  /** For a regression. */
  readonly since: { readonly run: string; readonly revision: string | null } | null;
  /** Checks that failed, most frequent first. */
  readonly checks: ReadonlyArray<{ readonly check: string; readonly times: number }>;
  readonly causes: ReadonlyArray<{
    readonly kind: CauseKind;
    readonly text: string;
    readonly times: number;
    readonly lastRun: string;
  }>;
}

/** One revision and config on which it both held and failed. */
export interface Alternation {
  readonly revision: string | null;
  readonly configHash: string;
  /** Whether nothing can have changed between these runs: revision and uncommitted changes are known and equal. */
  readonly isSame: boolean;
  readonly runs: number;
  readonly failed: number;
  /** Runs that were unstable in themselves. */
  readonly unstable: number;
  /** How often it changed from one to the other. */
  readonly changes: number;
  /** The newest of these runs. */
  readonly lastRun: string;
}
