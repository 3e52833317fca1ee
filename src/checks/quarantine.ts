/** Quarantine: failures of certain trials that do not fail the run until a day, each with an owner and a reason. Plain data, stored with the run. */
import type { Verdict } from './verdict.ts';

/** As a team writes it down. */
export interface QuarantineEntry {
  /** The id of a trial; without a case it speaks of all its cases. */
  readonly trial: string;
  /** Only this may fail; every check and step when absent. */
  readonly check?: string;
  readonly owner: string;
  readonly reason: string;
  /** The last day on which it counts: `2026-08-01`. */
  readonly until: string;
  readonly since?: string;
  /** In the file. */
  readonly line: number;
}

/** As it stood when the run began. */
export interface PlannedEntry extends QuarantineEntry {
  readonly isExpired: boolean;
  /** In so many stored runs it has held, the newest first, before it failed or was not stored any more. */
  readonly heldInARow: number;
}

export interface PlannedQuarantine {
  /** Relative to the folder of the config. */
  readonly file: string;
  /** Whether the gate lets it count. */
  readonly policy: 'allow' | 'forbid';
  readonly entries: readonly PlannedEntry[];
}

/** An entry after the run, for those of trials that were selected, and for all that are expired. */
export interface JudgedEntry extends PlannedEntry {
  readonly file: string;
  /** Trials of this run that it speaks of, with what they were judged. */
  readonly trials: ReadonlyArray<{ readonly id: string; readonly verdict: Verdict }>;
  /** What it speaks of has held for so long that it can go. */
  readonly isStale: boolean;
}

/** Why the failure of a trial does not fail the run. */
export interface Quarantined {
  readonly owner: string;
  readonly reason: string;
  readonly until: string;
  /** What it would have been judged without. */
  readonly verdict: 'failed' | 'unstable';
}

export function speaksOf({ trial }: Pick<QuarantineEntry, 'trial'>, id: string): boolean {
  return id === trial || id.startsWith(`${trial}[`);
}
