/** What is judged, as plain data: stored in the journal of every attempt, so that it can be judged again anywhere. */
import type { Explanation } from './explanation.ts';

/** How a trial is known, wherever it is mentioned. */
export interface TrialName {
  /** `daemon/junk[not-hex]`: unique in a run. */
  readonly id: string;
  readonly title?: string;
  /** Relative to the folder of the config. */
  readonly file: string;
  readonly line: number;
  readonly tags: readonly string[];
  readonly covers: readonly string[];
}

export interface TrialRecord extends Explanation, TrialName {
  readonly kind: 'yaml' | 'flow';
  /** The boundaries that it attacks. */
  readonly attacks?: readonly Attack[];
  readonly priority?: string;
  readonly steps: readonly StepRecord[];
  readonly checks: readonly CheckRecord[];
  readonly logs: LogGate;
  readonly expectedFailure?: ExpectedFailure;
  /** Disturbances of edges; one that was not felt makes the trial unknown. */
  readonly disturbs?: readonly DisturbRecord[];
  /** A hash of what the trial does, as written: steps, scripts, disturbances, not what it checks. Another hash, another trial. */
  readonly written?: string;
}

/** A trial without a check passes whatever happens. A flow declares its checks while it runs. */
export function canFail({ kind, checks, steps }: Pick<TrialRecord, 'kind' | 'checks' | 'steps'>): boolean {
  return kind === 'flow' || checks.length > 0 || steps.some(({ expect }) => expect !== undefined);
}

/** A boundary of the registry, and the tier of its contract: 1 for illegal input, 2 for every legal shape. */
export interface Attack {
  readonly boundary: string;
  readonly tier: 1 | 2;
}

export interface DisturbRecord {
  /** `disturb[0]` */
  readonly name: string;
  /** `gateway -> model` */
  readonly edge: string;
  /** What is done: `cut`, `hold`, `answer` …; absent in records of older versions. */
  readonly fault?: string;
  /** The exchange cannot succeed; likewise. */
  readonly fails?: boolean;
  /** In a few words: `cut at {"event":2} by fin crossing 1`. */
  readonly what: string;
  /** How many exchanges it was meant for; one if every one. */
  readonly times?: number;
}

export interface StepRecord {
  /** The name under `as`, or `#3` for the third. */
  readonly name: string;
  readonly line: number;
  /** `http`, `tcp`, `on`, `restart` … */
  readonly driver: string;
  /** The service or resource that it calls, if it names one. */
  readonly to?: string;
  /** A rung of a ladder: the others are tried even when it fails. */
  readonly rung?: Rung;
  /** Hard: the attempt ends when it does not hold. May hold `${…}`. */
  readonly expect?: unknown;
  /** What it takes from earlier steps: `created.json.id`. A mutant of that would have changed what was done. */
  readonly uses?: readonly string[];
}

export interface Rung {
  readonly name: string;
  /** The party to blame if it is the first that fails. */
  readonly party: string;
}

export type CheckMode =
  /** Sampled once, when everything is quiet. */
  | 'quiet'
  /** Holds as soon as one sample matches in time. */
  | 'within'
  /** Every sample from the first step to the end must match. */
  | 'throughout'
  /** No sample from the first step to the end may match. */
  | 'never';

export interface CheckRecord {
  readonly id: string;
  readonly title?: string;
  readonly line: number;
  /** The observer: `rows`, `calls`, `exchange` …; `value` for the data of a flow; `agree`, `order`, `correlate`, `blame` look at the journal. */
  readonly kind: string;
  /** What is observed, without conditions; twins share it. */
  readonly source: string;
  /** May hold `${…}`. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly mode: CheckMode;
  readonly withinMs?: number;
  /** A pattern; may hold `${…}`. For `never` the pattern that must not match. */
  readonly expect?: unknown;
  /** A pattern for the number of elements. */
  readonly count?: unknown;
  /** True if it asserts that something did not happen. */
  readonly absence: boolean;
  /** A trial in which the same source showed something. */
  readonly provenBy?: string;
  readonly golden?: Golden;
  /** `changes` only: the checks that may claim a change. */
  readonly only?: readonly string[];
  /** A closure decided; it cannot be judged again. */
  readonly opaque?: { readonly held: boolean; readonly message?: string };
}

export interface Golden {
  /** Relative to the folder of the config. */
  readonly file: string;
  /** The accepted output, canonicalized; absent before one is accepted. */
  readonly accepted?: unknown;
}

export interface LogGate {
  /** A new line that matches is an error; absent if the gate is off. */
  readonly error?: string;
  readonly allow: readonly { readonly service: string; readonly match: string; readonly because: string }[];
}

export interface ExpectedFailure {
  readonly because: string;
  /** These and no others may fail; any if absent. */
  readonly checks?: readonly string[];
}
