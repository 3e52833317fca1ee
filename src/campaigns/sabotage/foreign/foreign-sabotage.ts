/** The result of live sabotage of a foreign test command: the form of `sabotage.json` in such a run. */
import type { MutantKind, MutantOf } from '../../../journal/mutant-kinds.ts';

/** The outcome of one test under one mutant. */
export type ForeignOutcome =
  /** It passed. */
  | 'green'
  /** It skipped itself. */
  | 'skipped'
  | 'red'
  /** It failed because its own connection was refused, or it never began: none of its assertions ran. */
  | 'proves-nothing'
  /** The mutant was never met. */
  | 'not-met';

export interface MutatedRun extends MutantOf {
  readonly outcome: 'judged' | 'not-met' | 'proves-nothing';
  /** Why nothing is shown, if so. */
  readonly because?: string;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** Folder of its evidence, below the run folder. */
  readonly folder: string;
  readonly tests: Readonly<Record<string, ForeignOutcome>>;
}

export interface ForeignFinding {
  /** `*` if it holds for every mutant that was applied. */
  readonly service: string;
  readonly mutant: MutantKind | '*';
  readonly test: string;
  readonly kind: 'cannot-fail' | 'stays-green';
  readonly file?: string;
  readonly line?: number;
  readonly text: string;
}

export type TestState =
  /** Some mutant made it fail. */
  | 'vital'
  /** It passed under every mutant. */
  | 'vacuous'
  /** No mutant reached it. */
  | 'unproven';

export interface ForeignTest {
  readonly id: string;
  readonly file?: string;
  readonly line?: number;
  readonly state: TestState;
  /** `db dead`, by outcome of the test. */
  readonly noticed: readonly string[];
  readonly staysGreen: readonly string[];
  /** Of those, the mutants whose service it certainly never touched. */
  readonly neverTouches: readonly string[];
  readonly provesNothing: readonly string[];
}

export interface ForeignSabotage {
  readonly schemaVersion: 1;
  readonly run: string;
  readonly command: readonly string[];
  /** Whether tests are told apart; otherwise the command as a whole is the only one. */
  readonly perTest: boolean;
  /** From 0 to 1. */
  readonly vitality: number;
  readonly checks: number;
  readonly vital: number;
  /** How many times a test met a mutant. */
  readonly mutants: number;
  readonly exposures: readonly never[];
  readonly tests: readonly ForeignTest[];
  readonly findings: readonly ForeignFinding[];
  readonly runs: readonly MutatedRun[];
  readonly notPossible: readonly (MutantOf & { readonly because: string })[];
  /** Tests that were skipped in the healthy run. */
  readonly notCounted: readonly string[];
  /** Why calls could not be attributed to tests; null if they could. */
  readonly unattributed: string | null;
  readonly durationMs: number;
}
