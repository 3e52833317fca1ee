/** Steps that run a program, with every reference resolved: one that starts it, and those that act on one that stays. */

export interface CommandStep {
  readonly argv: readonly string[];
  /** What it reads; nothing when absent. */
  readonly stdin?: string;
  /** In addition to the variables of the attempt. */
  readonly env?: Readonly<Record<string, string>>;
  /** Relative to the folder of the trial. */
  readonly cwd?: string;
  /** It keeps running while later steps act on it. */
  readonly stays?: boolean;
}

export interface CommandOnStep {
  /** Written to its input as it is. */
  readonly send?: string;
  readonly signal?: NodeJS.Signals;
  /** Its input ends. */
  readonly end?: 'half' | 'stay';
  readonly awaitExit?: boolean;
}
