/** Parts of an attempt's journal, selected for the formatters. */
import type { CheckRecord, StepRecord, TrialRecord } from '../../checks/trial-record.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { isMap } from '../../kernel/is-map.ts';

export type EventOf<Type extends AttemptEvent['type']> = Extract<AttemptEvent, { type: Type }>;

export function eventsOf<Type extends AttemptEvent['type']>(
  events: readonly AttemptEvent[],
  ...types: readonly Type[]
): EventOf<Type>[] {
  return events.filter((event) => (types as readonly string[]).includes(event.type)) as EventOf<Type>[];
}

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
