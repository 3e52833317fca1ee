/** What an attempt that passed came to, small enough to be kept: later ones are compared with it. The form of `green.json`. */

export interface GreenDigest {
  readonly version: 1;
  /** Of what: another trial under the same name, or another system around it, is not compared. */
  readonly of: string;
  /** How many attempts that passed it was learnt from; what differs between them is marked, and not compared. */
  readonly runs: number;
  /** The longest of them: what a service does of itself after that was never seen. */
  readonly durationMs: number;
  /** In the order in which they began. */
  readonly calls: readonly GreenCall[];
  readonly outputs: readonly GreenOutput[];
  /** Check to a hash of what it expected, and held: one that expects something else now may be wrong itself. */
  readonly held: Readonly<Record<string, string>>;
  /** Resource to the state in which the jobs left it. */
  readonly prepared: Readonly<Record<string, string>>;
  /** What is wrong in every run and harms nobody. */
  readonly usual: readonly string[];
  /** Ids were not linked in the same way in all of them. */
  readonly looseLinks?: true;
  /** There was too much to be kept. */
  readonly cut?: true;
}

export interface GreenCall {
  readonly from: string;
  readonly to: string;
  /** What is asked for, without ids: calls of one name are compared with each other. */
  readonly name: string;
  /** Milliseconds since the attempt's first moment. */
  readonly began: number;
  readonly ended: number;
  readonly request: unknown;
  /** Null when none came. */
  readonly answer: unknown;
  /** It may be there or not: looks, greetings, and what was missing in one of the runs. */
  readonly optional?: true;
}

/** What a party left to be seen beside its calls. */
export interface GreenOutput {
  readonly party: string;
  /** `check stored`, `step hello`, `log`. */
  readonly name: string;
  /** What was looked at; answers to different questions are not compared. */
  readonly asked: string;
  readonly at: number;
  readonly value: unknown;
}

/** From so many runs on it is known what is noise; before that, only what a failed check itself shows is no accident. */
export const enoughRuns = 3;

/** Stands for a value that is not the same in every run that passes. */
export const varies = '‹varies›';

export const greenLimits = {
  runs: 50,
  calls: 300,
  outputs: 200,
  /** Of one value: values in values, and characters of a text; of a longer one a hash is kept. */
  depth: 30,
  entries: 2_000,
  textChars: 400,
  /** Of a text that is JSON, to be read. */
  parsedChars: 100_000,
  /** Of the whole, as JSON. */
  chars: 1_000_000,
} as const;
