/** Quarantine: failures of certain trials that do not fail the run until a day, each with an owner and a reason. Plain data, stored with the run. */
import type { Verdict } from './verdict.ts';

/** As a team writes it. */
export interface QuarantineEntry {
  /** The id of a trial; without a case it covers all its cases. */
  readonly trial: string;
  /** Only this may fail; every check and step if absent. */
  readonly check?: string;
  readonly owner: string;
  readonly reason: string;
  /** The last day on which it applies: `2026-08-01`. */
  readonly until: string;
  readonly since?: string;
  /** Its line in the file. */
  readonly line: number;
}

/** As it was when the run began. */
export interface PlannedEntry extends QuarantineEntry {
  readonly isExpired: boolean;
  /** In how many stored runs in a row, newest first, it has held. */
  readonly heldInARow: number;
}

export interface PlannedQuarantine {
  /** Relative to the folder of the config. */
  readonly file: string;
  /** Whether the gate allows it. */
  readonly policy: 'allow' | 'forbid';
  readonly entries: readonly PlannedEntry[];
}

/** An entry after the run, for selected trials, and for all that are expired. */
export interface JudgedEntry extends PlannedEntry {
  readonly file: string;
  /** Trials of this run that it covers, with their verdicts. */
  readonly trials: ReadonlyArray<{ readonly id: string; readonly verdict: Verdict }>;
  /** It has held for so long that the entry can be removed. */
  readonly isStale: boolean;
}

/** Why the failure of a trial does not fail the run. */
export interface Quarantined extends Pick<QuarantineEntry, 'owner' | 'reason' | 'until'> {
  /** The verdict without the entry. */
  readonly verdict: 'failed' | 'unstable';
}

export function speaksOf({ trial }: Pick<QuarantineEntry, 'trial'>, id: string): boolean {
  return id === trial || id.startsWith(`${trial}[`);
}
