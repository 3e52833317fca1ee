/** What `lint` finds: its location, what it is, why it matters, and what to do about it. */

/** A `finding` makes the suite dishonest and leads to exit code 6; a `warning` is worth a look. */
export type FindingLevel = 'finding' | 'warning';

export interface LintFinding {
  readonly kind: string;
  readonly level: FindingLevel;
  /** The trial, without its case, and its check, if it is about one. */
  readonly trial?: string;
  readonly check?: string;
  /** Relative to the folder of the config. */
  readonly file: string;
  readonly line: number;
  /** What it is, in one sentence. */
  readonly text: string;
  readonly why: string;
  /** What to do. */
  readonly next: string;
}

/** What could not be determined, counted: never the same as "all fine". */
export interface NotKnown {
  /** Of what: `endpoints`, `tools of scripts` … */
  readonly what: string;
  readonly count: number;
  readonly because: string;
  /** Some of them, if they have names. */
  readonly names?: readonly string[];
}
