/** A requirement as a team wrote it: what must be true, its priority, and how it is to be shown. */
import type { SourcePosition } from '../kernel/source-position.ts';

export interface Requirement {
  readonly id: string;
  readonly title?: string;
  /** What must be true. */
  readonly text: string;
  /** `p0`, in lower case; absent where none was given. */
  readonly priority?: string;
  /** A trial that covers it must show the failing side, too. */
  readonly failPath: boolean;
  /** The word from which `failPath` was guessed, where it was not written. */
  readonly failPathFrom?: string;
  readonly source?: SourceLink;
  /** Known, but not shown yet. */
  readonly deferred?: Deferral;
  /** It waits until these are covered and green. */
  readonly dependsOn: readonly string[];
  /** How it is to be shown. */
  readonly method?: string;
  /** What would look like a proof, but is not one. */
  readonly antiPattern?: string;
  /** The file that contains it, relative to the folder of the config. */
  readonly file: string;
  readonly line: number;
}

/** The section of a document from which it was taken. */
export interface SourceLink {
  /** Relative to the folder of the config. */
  readonly file: string;
  /** A heading or its anchor; the whole file when absent. */
  readonly section?: string;
}

export interface Deferral {
  readonly reason: string;
  /** A day such as `2026-12-31`, after which the deferral is over; or a milestone in words. */
  readonly until?: string;
}

/** A requirement together with the places that problems point at. */
export interface PlacedRequirement {
  readonly requirement: Requirement;
  whereIs(part: 'id' | { readonly dependsOn: number }): SourcePosition;
}

/** All requirements of a system. */
export interface Catalogue {
  /** Relative to the folder of the config. */
  readonly files: readonly string[];
  readonly requirements: readonly Requirement[];
  /** What was read and not used, each as a sentence with its position. */
  readonly notes: readonly string[];
}

export const requirementLimits = {
  requirements: 5_000,
  files: 200,
  idChars: 80,
} as const;
