/** What belongs to an event elsewhere in its journal: the log of its service, the check or step that it is about. */
import { type AttemptEvent, type EventOf, eventsOf } from '../../../journal/trial-event.ts';
import { isMap } from '../../../kernel/is-map.ts';
import { listIn } from '../plain-text.ts';

/** The last lines that a service wrote before the attempt ended. */
export function lastLines(events: readonly AttemptEvent[], service: string): readonly string[] {
  return eventsOf(events, 'log.tail').flatMap((tail) => (tail.service === service ? listIn(tail.lines) : []));
}

/** A check or a step as the trial declares it. */
export function declarationOf(
  events: readonly AttemptEvent[],
  event: EventOf<'probe.sampled' | 'step.ended'>,
): unknown {
  const [started] = eventsOf(events, 'attempt.started');
  const trial = isMap(started?.trial) ? started.trial : {};
  const declared = eventsOf(events, 'check.declared').map(({ check }) => check);
  const lists = [trial.checks, trial.steps, declared].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  const name = event.type === 'step.ended' ? event.step : event.probe;
  return lists.find((one) => isMap(one) && (one.id === name || one.name === name));
}
