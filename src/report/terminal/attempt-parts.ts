/** Parts of an attempt's journal, selected for the formatters. */
import type { CheckRecord, TrialRecord } from '../../checks/trial-record.ts';
import { type AttemptEvent, eventsOf } from '../../journal/trial-event.ts';
import { isMap } from '../../kernel/is-map.ts';

/** The trial as declared; missing parts of a journal are empty. */
export function declaredIn(events: readonly AttemptEvent[]) {
  const record = eventsOf(events, 'attempt.started')[0]?.trial;
  const { steps = [], checks = [], expectedFailure } = (isMap(record) ? record : {}) as Partial<TrialRecord>;
  const later = eventsOf(events, 'check.declared').map(({ check }) => check as CheckRecord);
  return { steps, checks: [...checks, ...later], ...(expectedFailure ? { expectedFailure } : {}) };
}
