/** What live sabotage of somebody else's tests has shown: the form of `sabotage.json` in such a run. */
import type { LieKind } from '../live/place-lie.ts';

/** What one test did under one lie. */
export type ForeignOutcome =
  /** It passed. */
  | 'green'
  /** It did not run, because it says of itself that it need not. */
  | 'skipped'
  | 'red'
  /** It failed because its own connection was refused, or it never began: nothing that it asserts was asked. */
  | 'proves-nothing'
  /** Nobody met the lie. */
  | 'not-met';

export interface LiedRun {
  readonly service: string;
  readonly lie: LieKind;
  readonly outcome: 'judged' | 'not-met' | 'proves-nothing';
  /** Why nothing is shown, where that is so. */
  readonly because?: string;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** Of its evidence, below the run folder. */
  readonly folder: string;
  readonly tests: Readonly<Record<string, ForeignOutcome>>;
}

export interface ForeignFinding {
  /** `*` where it holds for every lie that was told. */
  readonly service: string;
  readonly lie: LieKind | '*';
  readonly test: string;
  readonly kind: 'cannot-fail' | 'stays-green';
  readonly file?: string;
  readonly line?: number;
  readonly text: string;
}

export type TestState =
  /** Some lie turned it red. */
  | 'vital'
  /** It stayed green whatever it was told. */
  | 'vacuous'
  /** No lie asked it anything. */
  | 'unproven';

export interface ForeignTest {
  readonly id: string;
  readonly file?: string;
  readonly line?: number;
  readonly state: TestState;
  /** `db dead`, by what the test did. */
  readonly noticed: readonly string[];
  readonly staysGreen: readonly string[];
  /** Of those, where it surely never touched the one who lied. */
  readonly neverTouches: readonly string[];
  readonly provesNothing: readonly string[];
}

export interface ForeignSabotage {
  readonly schemaVersion: 1;
  readonly run: string;
  readonly command: readonly string[];
  /** Tests are told apart; otherwise the command as a whole is the only one. */
  readonly perTest: boolean;
  /** From 0 to 1. */
  readonly vitality: number;
  readonly checks: number;
  readonly vital: number;
  /** So many times a test met a lie. */
  readonly mutants: number;
  readonly exposures: readonly never[];
  readonly tests: readonly ForeignTest[];
  readonly findings: readonly ForeignFinding[];
  readonly lies: readonly LiedRun[];
  readonly notPossible: readonly {
    readonly service: string;
    readonly lie: LieKind;
    readonly because: string;
  }[];
  /** Tests that were skipped when nobody lied. */
  readonly notCounted: readonly string[];
  /** Why calls could not be told apart by test; null where they could. */
  readonly unattributed: string | null;
  readonly durationMs: number;
}
