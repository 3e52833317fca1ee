/** What is wrong between requirements and trials. */

export type RequirementFindingKind =
  /** A trial covers an id that no requirement has. */
  | 'unknown-requirement'
  /** A trial names one requirement twice. */
  | 'covered-twice'
  /** Neither covered nor deferred nor pending. */
  | 'orphaned'
  /** A fail path is demanded, and no trial that covers it expects a refusal. */
  | 'no-fail-path'
  /** Deferred, and covered by trials that are green. */
  | 'stale-deferral'
  /** The day is over until which it was deferred. */
  | 'expired-deferral'
  /** Its source has no such file or section. */
  | 'lost-source'
  /** Its text, or the section that it was taken from, is newer than its trials. */
  | 'drifted'
  /** Nobody can tell whether it drifted, and the gate wants to know. */
  | 'history-unknown'
  | 'failed'
  | 'unknown'
  /** The gate wants it covered, and it is not. */
  | 'not-covered'
  /** There is no run to read results from. */
  | 'nothing-executed'
  /** There was a requirement, trial or check at the revision, and now there is none. */
  | 'lost-requirement'
  | 'lost-trial'
  | 'lost-check'
  | 'lost-coverage'
  /** A file of the revision cannot be read any more. */
  | 'unreadable-revision';

export interface RequirementFinding {
  readonly kind: RequirementFindingKind;
  readonly requirement?: string;
  readonly priority?: string;
  readonly trial?: string;
  /** Relative to the folder of the config. */
  readonly file?: string;
  readonly line?: number;
  /** What is wrong, in one sentence. */
  readonly text: string;
  readonly next: string;
}
