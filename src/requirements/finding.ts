/** What is wrong between requirements and trials. */
import { firstNames } from '../kernel/counted.ts';
import { defined } from '../kernel/defined.ts';
import type { Requirement } from './requirement.ts';

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
  /** The day until which it was deferred is over. */
  | 'expired-deferral'
  /** Its source has no such file or section. */
  | 'lost-source'
  /** Its text, or the section that it was taken from, is newer than its trials. */
  | 'drifted'
  /** Whether it drifted cannot be determined, and the gate requires it. */
  | 'history-unknown'
  | 'failed'
  | 'unknown'
  /** The gate requires it to be covered, and it is not. */
  | 'not-covered'
  /** No run to read results from. */
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

/** A finding at the place of the requirement that it is about. */
export function findingOn(
  { id, priority, file, line }: Requirement,
  kind: RequirementFindingKind,
  text: string,
  next: string,
): RequirementFinding {
  return { kind, requirement: id, ...defined({ priority }), file, line, text, next };
}

export function nameOf({ id, title }: Pick<Requirement, 'id' | 'title'>): string {
  return title === undefined ? id : `${id} (${title})`;
}

const mostNamed = 3;

export function listed(names: readonly string[]): string {
  return firstNames(names, mostNamed);
}
