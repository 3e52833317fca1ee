/** One running attempt: its journal, its scope, and what is open. */
import type { CheckRecord } from '../../checks/trial-record.ts';
import type { Act, DriverContext, OpenConnection } from '../../drivers/driver.ts';
import { fromOutside } from '../../journal/outside-text.ts';
import { redactExpectation, redactValues } from '../../journal/redact-values.ts';
import type { TrialJournalWriter } from '../../journal/trial-journal.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import {
  type Resolved,
  resolveInScope,
  resolvePattern,
  resolveQuery,
  whyMissing,
} from '../../patterns/scope.ts';
import type { Trial } from '../trial.ts';
import type { Deaths } from './deaths.ts';
import type { LiveEnvironment } from './live-environment.ts';
import type { Watches } from './watches.ts';

export interface Attempt {
  readonly trial: Trial;
  /** Which attempt of the trial it is, from 1. */
  readonly number: number;
  readonly seed: string;
  /** On the keeper's journal. */
  readonly beganAt: number;
  readonly environment: LiveEnvironment;
  readonly journal: TrialJournalWriter;
  /** Where the journal is. */
  readonly folder: string;
  /** Aborted when the attempt is over or abandoned. */
  readonly signal: AbortSignal;
  readonly driving: Omit<DriverContext, 'timeoutMs' | 'folder'>;
  readonly watches: Watches;
  /** By the name of their step. */
  readonly acts: Map<string, Act>;
  /** Steps on a connection, whose evidence may still change. */
  readonly stillOpen: Set<string>;
  readonly connections: Map<string, OpenConnection>;
  readonly scope: AttemptScope;
  readonly deaths: Deaths;
  /** Of one step: which service died while it waited, when that ended it. */
  readonly gaveUpBecause?: () => string | undefined;
}

/** Why an attempt is aborted when the time of its trial is up. */
export const tooLong = Symbol('the attempt took too long');

/** The values of references: raw for acting, redacted as in the journal for matching. */
export interface AttemptScope {
  /** Returns the value as the journal holds it. */
  bind(name: string, value: unknown): unknown;
  /** `also` holds extra values for this call only. */
  resolve(value: unknown, also?: Readonly<Record<string, unknown>>): Resolved;
  /** For patterns: values from the system are data in them, never operators. */
  forMatching(expectation: { readonly expect?: unknown; readonly count?: unknown }): Resolved;
  /** The query of a check to its observer. */
  forQuery(check: Pick<CheckRecord, 'kind' | 'query'>): Resolved;
  /** What is wrong with a reference that `forQuery` did not find. */
  whyMissing(reference: string): string;
  /** An observed value, as the journal holds it. */
  clean<Value>(value: Value): Value;
}

export function createAttemptScope(
  environment: LiveEnvironment,
  known: Readonly<Record<string, unknown>>,
): AttemptScope {
  const redacted = <Value>(value: Value): Value => redactValues(value, environment.redactor);
  const clean = <Value>(value: Value): Value => redacted(fromOutside(value));
  const acting: Record<string, unknown> = { ...known };
  const matching: Record<string, unknown> = redacted({ ...known });
  return {
    bind: (name, value) => {
      acting[name] = value;
      matching[name] = clean(value);
      return matching[name];
    },
    resolve: (value, also) => resolveInScope(value, acting, also),
    forMatching: (expectation) =>
      resolvePattern(redactExpectation(expectation, environment.redactor), matching),
    forQuery: ({ kind, query }) => resolveQuery(query, acting, checkKind(kind)?.forms),
    whyMissing: (reference) => whyMissing(reference, acting),
    clean,
  };
}
