/** A requirement as a team wrote it down: what must be true, how grave it is, and what is known about its proof. */
import type { SourcePosition } from '../kernel/source-position.ts';

export interface Requirement {
  readonly id: string;
  readonly title?: string;
  /** What must be true. */
  readonly text: string;
  /** `p0`, in lower case; absent where nobody said one. */
  readonly priority?: string;
  /** A trial that covers it must show the failing side, too. */
  readonly failPath: boolean;
  /** The word from which the demand was guessed, where nobody wrote it down. */
  readonly failPathFrom?: string;
  readonly source?: SourceLink;
  /** Known, and not shown yet. */
  readonly deferred?: Deferral;
  /** Until these are covered and green it waits. */
  readonly dependsOn: readonly string[];
  /** How it is to be shown. */
  readonly method?: string;
  /** What would look like a proof, and is none. */
  readonly antiPattern?: string;
  /** Relative to the folder of the config, where it stands. */
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

/** All that a system is held against. */
export interface Catalogue {
  /** Relative to the folder of the config. */
  readonly files: readonly string[];
  readonly requirements: readonly Requirement[];
  /** What was read and not taken over, each in a sentence with its place. */
  readonly notes: readonly string[];
}

export const requirementLimits = {
  requirements: 5_000,
  files: 200,
  idChars: 80,
  findings: 2_000,
  gitMs: 20_000,
  gitBytes: 64 * 1024 * 1024,
  gitAtOnce: 4,
} as const;
