/** One line for an event of a journal, in names of the project: nothing that was sent or printed. */
import type { AttemptEvent } from '../../journal/trial-event.ts';

export function eventTitle(event: AttemptEvent): string {
  return [`#${event.seq}`, `${Math.round(event.at)} ms`, event.type, ...about(event)].join('  ');
}

function about(event: AttemptEvent): readonly string[] {
  if ('from' in event && 'to' in event && typeof event.to === 'string')
    return [`${event.from} -> ${event.to}`];
  const names = ['step', 'probe', 'service', 'name'] as const;
  const entries = new Map<string, unknown>(Object.entries(event));
  return names.flatMap((name) => (typeof entries.get(name) === 'string' ? [String(entries.get(name))] : []));
}
