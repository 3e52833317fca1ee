/** Rule 1, not there: a process ended by itself, or a connection was not accepted although nothing of ours prevented it. */

import type { EventOf } from '../../journal/trial-event.ts';
import { edgeOf } from '../../kernel/edge-name.ts';
import type { Blame } from './blame.ts';
import { usualName } from './rule-illegal.ts';
import type { Traffic } from './traffic.ts';

export const unreachableRule = 'unreachable';

export function blameUnreachable(traffic: Traffic, usual: ReadonlySet<string>): Blame | undefined {
  const { view } = traffic;
  const away = view.refusals.filter(
    (refusal) =>
      (refusal.because === 'provider-unreachable' || refusal.because === 'provider-not-listening') &&
      !traffic.wasStopped(refusal.to) &&
      !usual.has(usualName(refusal.to, unreachableRule)) &&
      !isBack(refusal, traffic),
  );
  const [first] = away;
  if (!first || away.some(({ to }) => to !== first.to)) return undefined;
  return {
    party: first.to,
    edge: edgeOf(first),
    rule: 1,
    because: `${first.to} did not accept the connection of ${first.from}, although it was not stopped`,
    evidence: away.map(({ seq }) => seq),
  };
}

/** It answered another call later: then it was only away for a moment. */
function isBack({ to, seq }: EventOf<'connection.refused'>, traffic: Traffic): boolean {
  return traffic.askedOf(to).some((call) => call.seq > seq && call.call.response !== undefined);
}

/** Rule 1, died: a process that ended by itself; of several the first, because the others may be consequences. */
export function blameDeath({ view }: Traffic): Blame | undefined {
  const [first] = view.deaths;
  if (!first) return undefined;
  const { kind, name, code, signal, seq } = first;
  const how = signal === null ? `with ${code}` : `by ${signal}`;
  return { party: name, rule: 1, because: `${kind} ${name} ended by itself, ${how}`, evidence: [seq] };
}
