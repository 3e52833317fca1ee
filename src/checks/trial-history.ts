/** What stored runs say of a trial over time: the form of the flake ledger. */
import type { CauseKind, Verdict } from './verdict.ts';

export interface FlakeLedger {
  /** Runs that were read. */
  readonly runs: number;
  /** Folders that say nothing about trials, each with the reason. */
  readonly unread: readonly UnreadRun[];
  /** Those to look at first. */
  readonly trials: readonly TrialHistory[];
}

export interface UnreadRun {
  readonly run: string;
  /** torn: cut off or damaged; foreign: not of this tool, or of another system; version: of another version of it; up: nothing was performed. */
  readonly kind: 'torn' | 'foreign' | 'version' | 'up';
  readonly why: string;
}

/**
 * flake: it held and failed while nothing had changed. suspect: it went to and fro, and what ran may have changed unseen.
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
  /** Of these, by what they were judged; one that failed as expected counts as passed, one in quarantine as what it was. */
  readonly passed: number;
  readonly failed: number;
  readonly unstable: number;
  /** Skipped, or not decided. */
  readonly undecided: number;
  readonly lastSeen: { readonly run: string; readonly at: string; readonly verdict: Verdict };
  /** Where it both held and failed, the newest first. */
  readonly alternations: readonly Alternation[];
  /** Of a regression. */
  readonly since: { readonly run: string; readonly revision: string | null } | null;
  /** Checks that failed, the most frequent first. */
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
  /** Whether nothing can have changed between these runs: the revision is known, and the same was uncommitted. */
  readonly isSame: boolean;
  readonly runs: number;
  readonly failed: number;
  /** Runs that were unstable in themselves. */
  readonly unstable: number;
  /** How often it went from one to the other. */
  readonly changes: number;
}
