/** What judging says: of one check, of one trial, of a whole run. The form of `verdict.json`. */
import type { ExitCode } from '../kernel/exit-codes.ts';
import type { Blame } from './blame/blame.ts';
import type { Cost } from './cost.ts';
import type { Explanation } from './explanation.ts';
import type { JudgedEntry, Quarantined } from './quarantine.ts';
import type { SuiteFault } from './suite-fault.ts';

export type Verdict = 'passed' | 'failed' | 'unknown' | 'skipped' | 'expected-failure' | 'unstable';

export interface CheckVerdict {
  readonly id: string;
  readonly title?: string;
  readonly line: number;
  readonly verdict: Verdict;
  /** In a few words each; of the first place where the two part. */
  readonly expected: string;
  readonly observed: string;
  /** Where in the evidence they part, and everything else worth knowing, as a person reads it. */
  readonly explanation?: string;
  /** Numbers of the events in the trial's journal that it rests on. */
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
  /** What a model or a third party that we play was asked is not what its script knows. */
  | 'script'
  | 'budget'
  | 'ladder'
  | 'expected-failure-passed'
  | 'interrupted'
  /** A journal that is damaged. */
  | 'evidence';

export interface Cause {
  readonly kind: CauseKind;
  /** One sentence. */
  readonly text: string;
}

export interface TrialVerdict extends Cost, Explanation {
  readonly id: string;
  readonly title?: string;
  readonly file: string;
  readonly line: number;
  readonly tags: readonly string[];
  readonly covers: readonly string[];
  readonly backend: string | null;
  readonly verdict: Verdict;
  readonly cause: Cause | null;
  readonly attempts: number;
  readonly checks: readonly CheckVerdict[];
  /** Null when the trial passed, or when nothing is to be blamed. */
  readonly blame: Blame | null;
  readonly durationMs: number;
  /** Who was still busy when it was waited for rest in vain. */
  readonly restless?: string;
  readonly skipReason: string | null;
  /** Why its failure does not fail the run; such a trial is `unstable`. */
  readonly quarantined?: Quarantined;
  /** The command that shows it again. */
  readonly repro: string;
  /** Its steps and checks that only a refusal fulfils; absent where it has none. */
  readonly refusals?: readonly string[];
  /** What is wrong with the trial itself. */
  readonly faults: readonly SuiteFault[];
  /** Its journals are of version 1, which has no checksums: nobody knows whether they are as they were written. */
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
  /** Everything that speaks against exit code 0, the gravest first. */
  readonly reasons: readonly RunReason[];
  readonly counts: Readonly<Record<Verdict | 'declared' | 'selected' | 'executed', number>> & {
    /** Those of `unstable` that are in quarantine; absent when there is none. */
    readonly quarantined?: number;
  };
  readonly durationMs: number;
  readonly trials: readonly TrialVerdict[];
  /** Empty where the system declares none. */
  readonly requirements: readonly RequirementVerdict[];
  readonly leaks: readonly string[];
  /** What is in quarantine among the selected, and what is expired; absent when there is nothing. */
  readonly quarantine?: readonly JudgedEntry[];
}

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
  /** What it depends on is not there yet. */
  | 'pending'
  /** No trial covers it, and nobody says why. */
  | 'orphaned';

export interface RunReason {
  readonly exitCode: ExitCode;
  readonly text: string;
  readonly trial?: string;
}
