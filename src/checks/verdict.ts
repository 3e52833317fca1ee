/** The result of judging: of one check, of one trial, of a whole run. The form of `verdict.json`. */
import type { ExitCode } from '../kernel/exit-codes.ts';
import type { Mismatch } from '../patterns/match-result.ts';
import type { Blame } from './blame/blame.ts';
import type { Cost } from './cost.ts';
import type { Explanation } from './explanation.ts';
import type { JudgedEntry, Quarantined } from './quarantine.ts';
import type { TrialName } from './trial-record.ts';

export type Verdict = 'passed' | 'failed' | 'unknown' | 'skipped' | 'expected-failure' | 'unstable';

export interface CheckVerdict {
  readonly id: string;
  readonly title?: string;
  readonly line: number;
  readonly verdict: Verdict;
  /** In a few words each; for the first place where the two differ. */
  readonly expected: string;
  readonly observed: string;
  /** Where in the evidence they differ, and other details for a person. */
  readonly explanation?: string;
  /** The places where the two differ, the first few; absent where it is not a difference of values. */
  readonly mismatches?: readonly Mismatch[];
  /** Numbers of the events in the trial's journal that it is based on. */
  readonly evidence: readonly number[];
  /** A closure decided; not judged again. */
  readonly opaque?: true;
}

export type CauseKind =
  | 'check'
  | 'step'
  | 'log'
  | 'death'
  | 'timeout'
  | 'environment'
  | 'flow'
  | 'suite'
  /** A request to a model or a third party that we play is not in its script. */
  | 'script'
  | 'budget'
  | 'ladder'
  | 'expected-failure-passed'
  | 'interrupted'
  /** A damaged journal. */
  | 'evidence';

export interface Cause {
  readonly kind: CauseKind;
  /** One sentence. */
  readonly text: string;
}

export interface TrialVerdict extends Cost, Explanation, TrialName {
  readonly backend: string | null;
  readonly verdict: Verdict;
  readonly cause: Cause | null;
  readonly attempts: number;
  readonly checks: readonly CheckVerdict[];
  /** Null if the trial passed, or if nothing is to be blamed. */
  readonly blame: Blame | null;
  readonly durationMs: number;
  /** What was still busy when the wait for quiet timed out. */
  readonly restless?: string;
  readonly skipReason: string | null;
  /** Why its failure does not fail the run; such a trial is `unstable`. */
  readonly quarantined?: Quarantined;
  /** The command that reproduces it. */
  readonly repro: string;
  /** Its steps and checks that only a refusal fulfils; absent if there are none. */
  readonly refusals?: readonly string[];
  /** Numbers of the events of calls that were refused as the trial wants it, or as in passing runs; absent if there are none. */
  readonly expectedRefusals?: readonly number[];
  /** What is wrong with the trial itself. */
  readonly faults: readonly SuiteFault[];
  /** Its journals are of version 1, which has no checksums: changes to them cannot be detected. */
  readonly unchecked?: true;
  /** Folder of the evidence below the run folder. */
  readonly folder: string | null;
}

export interface RunVerdict {
  readonly schemaVersion: 1;
  readonly tool: string;
  readonly run: string;
  readonly revision: string | null;
  readonly configHash: string;
  readonly seed: string;
  readonly verdict: Verdict;
  readonly exitCode: ExitCode;
  /** Every reason against exit code 0, most severe first. */
  readonly reasons: readonly RunReason[];
  readonly counts: Readonly<Record<Verdict | 'declared' | 'selected' | 'executed', number>> & {
    /** Those of `unstable` that are in quarantine; absent if there are none. */
    readonly quarantined?: number;
  };
  readonly durationMs: number;
  readonly trials: readonly TrialVerdict[];
  /** Empty if the system declares none. */
  readonly requirements: readonly RequirementVerdict[];
  readonly leaks: readonly string[];
  /** What is in quarantine among the selected, and what is expired; absent if nothing is. */
  readonly quarantine?: readonly JudgedEntry[];
}

/** Milliseconds since 1970. */
export type RunTimes = Readonly<Record<'startedAt' | 'stoppedAt', number>>;

export interface RequirementVerdict {
  readonly id: string;
  readonly priority: string | null;
  readonly state: RequirementState;
  /** Those that cover it, performed or not. */
  readonly trials: readonly string[];
}

export type RequirementState =
  | 'covered'
  | 'failed'
  | 'unknown'
  | 'skipped'
  /** Trials cover it, and none of them was performed. */
  | 'not-executed'
  | 'deferred'
  /** A dependency does not exist yet. */
  | 'pending'
  /** No trial covers it, and no reason is given. */
  | 'orphaned';

export interface RunReason {
  readonly exitCode: ExitCode;
  readonly text: string;
  readonly trial?: string;
}

/** Whether a verdict requires action. */
export function judgedBadly(verdict: Verdict): boolean {
  return verdict === 'failed' || verdict === 'unknown' || verdict === 'unstable';
}

type SuiteFaultKind =
  | 'no-check'
  | 'nothing-sent'
  | 'never-executed'
  | 'timeout-as-skip'
  | 'forbidden-skip'
  | 'absence-without-twin'
  | 'twin-saw-nothing'
  | 'unfelt-disturbance'
  | 'unfit-shape'
  | 'generated-unexplained'
  | 'unknown'
  | 'nothing-selected';

export interface SuiteFault {
  readonly kind: SuiteFaultKind;
  /** One sentence, with what to do. */
  readonly text: string;
  readonly check?: string;
  /** The twin that should prove it but did not pass itself: `failed`. */
  readonly twin?: { readonly id: string; readonly happened: string };
}
