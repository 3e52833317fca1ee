/** The steps and checks of an attempt that only a refusal fulfils, including those that a flow declared. */
import type { CheckRecord, TrialRecord } from '../../checks/trial-record.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { refusalsOf } from '../../requirements/refusals.ts';

export function refusalsOfAttempt(events: readonly AttemptEvent[]): readonly string[] {
  const started = events.find((event) => event.type === 'attempt.started');
  if (!started) return [];
  const { checks, ...trial } = started.trial as TrialRecord;
  const declared = events.flatMap((event) =>
    event.type === 'check.declared' ? [event.check as CheckRecord] : [],
  );
  return refusalsOf({ ...trial, checks: [...checks, ...declared] }).map(({ part }) => part);
}
