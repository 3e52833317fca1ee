/** Parts of an attempt's journal, selected for the formatters. */
import type { CheckRecord, StepRecord, TrialRecord } from '../../checks/trial-record.ts';
import { type AttemptEvent, eventsOf } from '../../journal/trial-event.ts';
import { isMap } from '../../kernel/is-map.ts';

/** The trial as declared; missing parts of a journal are empty. */
export interface Declared {
  readonly steps: readonly StepRecord[];
  readonly checks: readonly CheckRecord[];
  readonly expectedFailure?: TrialRecord['expectedFailure'];
}

export function declaredIn(events: readonly AttemptEvent[]): Declared {
  const record = eventsOf(events, 'attempt.started')[0]?.trial;
  const { steps = [], checks = [], expectedFailure } = (isMap(record) ? record : {}) as Partial<TrialRecord>;
  const later = eventsOf(events, 'check.declared').map(({ check }) => check as CheckRecord);
  return { steps, checks: [...checks, ...later], ...(expectedFailure ? { expectedFailure } : {}) };
}
