/** One attempt under way: its journal, what it knows by now, and what is open. */
import type { Act, DriverContext, OpenConnection } from '../../drivers/driver.ts';
import { fromOutside } from '../../journal/outside-text.ts';
import { redactExpectation, redactValues } from '../../journal/redact-values.ts';
import type { TrialJournalWriter } from '../../journal/trial-journal.ts';
import { type Resolved, resolveInScope, resolvePattern } from '../../patterns/scope.ts';
import type { Trial } from '../trial.ts';
import type { Deaths } from './deaths.ts';
import type { Stage } from './stage.ts';
import type { Watches } from './watches.ts';

export interface Attempt {
  readonly trial: Trial;
  /** Which attempt of the trial it is, from 1. */
  readonly number: number;
  readonly seed: string;
  readonly stage: Stage;
  readonly journal: TrialJournalWriter;
  /** Where the journal lies. */
  readonly folder: string;
  /** Aborted when the attempt is over, or given up. */
  readonly signal: AbortSignal;
  readonly driving: Omit<DriverContext, 'timeoutMs' | 'folder'>;
  readonly watches: Watches;
  /** By the name of their step. */
  readonly acts: Map<string, Act>;
  /** Steps on a connection, whose evidence may still change. */
  readonly stillOpen: Set<string>;
  readonly connections: Map<string, OpenConnection>;
  readonly knowledge: Knowledge;
  readonly deaths: Deaths;
  /** Of one step: who died while it waited, when that ended it. */
  readonly gaveUpBecause?: () => string | undefined;
}

/** What references mean: as it is for acting, as it is written down for matching. */
export interface Knowledge {
  /** Gives it back as it is written down. */
  learn(name: string, value: unknown): unknown;
  /** `also` is known for this once. */
  forActing(value: unknown, also?: Readonly<Record<string, unknown>>): Resolved;
  /** Of patterns: what the system gave is data in them, never an operator. */
  forMatching(expectation: { readonly expect?: unknown; readonly count?: unknown }): Resolved;
  /** What an observer is asked; its `where` is a pattern. */
  forQuery(query: Readonly<Record<string, unknown>>): Resolved;
  /** What was seen, as it is written down. */
  clean<Value>(value: Value): Value;
}

export function createKnowledge(stage: Stage, known: Readonly<Record<string, unknown>>): Knowledge {
  const redacted = <Value>(value: Value): Value => redactValues(value, stage.redactor);
  const clean = <Value>(value: Value): Value => redacted(fromOutside(value));
  const acting: Record<string, unknown> = { ...known };
  const matching: Record<string, unknown> = redacted({ ...known });
  return {
    learn: (name, value) => {
      acting[name] = value;
      matching[name] = clean(value);
      return matching[name];
    },
    forActing: (value, also) => resolveInScope(value, acting, also),
    forMatching: (expectation) => resolvePattern(redactExpectation(expectation, stage.redactor), matching),
    forQuery: ({ where, ...query }) => {
      const asked = resolveInScope(query, acting);
      const condition = resolvePattern(where, acting);
      const whole =
        where === undefined ? asked.value : { ...(asked.value as object), where: condition.value };
      return { value: whole, missing: [...asked.missing, ...condition.missing] };
    },
    clean,
  };
}
