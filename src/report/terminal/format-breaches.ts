/** Rules that one of the two sides of a call broke. */
import type { CallEvent } from '../../journal/call-event.ts';

const mostBreaches = 3;

/** One sentence each. */
export function formatBreaches({ turn, faults, from, to }: CallEvent): readonly string[] {
  const shown = [
    ...(faults ?? []).map(({ by, rule, what }) => `${by === 'provider' ? to : from} broke ${rule}: ${what}`),
    ...(turn?.faults ?? []).map(({ rule, what }) => `the turn broke ${rule}: ${what}`),
  ];
  const rest = shown.length > mostBreaches ? [`… and ${shown.length - mostBreaches} more rules`] : [];
  return [...shown.slice(0, mostBreaches), ...rest];
}
