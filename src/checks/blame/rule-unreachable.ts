/** Rule 1, not there: a process ended by itself, or a connection was not accepted although nothing of ours prevented it. */

import type { EventOf } from '../../journal/trial-event.ts';
import { edgeOf, partyIn } from '../../kernel/edge-name.ts';
import type { Blame } from './blame.ts';
import { gotGoodAnswers } from './legality.ts';
import { usualName } from './rule-illegal.ts';
import type { Traffic } from './traffic.ts';

export const unreachableRule = 'unreachable';

export function blameUnreachable(traffic: Traffic, usual: ReadonlySet<string>): Blame | undefined {
  const { view } = traffic;
  const away = view.refusals.filter(
    (refusal) =>
      (refusal.because === 'provider-unreachable' || refusal.because === 'provider-not-listening') &&
      !traffic.wasStopped(partyIn(refusal.to)) &&
      !usual.has(usualName(refusal.to, unreachableRule)) &&
      !isBack(refusal, traffic) &&
      // Who does not listen any more may do so because of a failure of another one.
      gotGoodAnswers(refusal.to, refusal.at + view.keeperAt, traffic),
  );
  const [first] = away;
  const party = first && partyIn(first.to);
  if (!first || party === undefined || away.some(({ to }) => partyIn(to) !== party)) return undefined;
  return {
    party,
    edge: edgeOf(first),
    edgeUnsaid: true,
    rule: 1,
    because: `${party} did not accept the connection of ${first.from}, although it was not stopped`,
    evidence: away.map(({ seq }) => seq),
  };
}

/** It answered another call later, at the same listener: then it was only away for a moment. */
function isBack({ to, seq }: EventOf<'connection.refused'>, traffic: Traffic): boolean {
  return traffic
    .askedOf(partyIn(to))
    .some(({ edge, call, seq: at }) => at > seq && edge.endsWith(` -> ${to}`) && call.response !== undefined);
}

/** Rule 1, died: a process that ended by itself; of several the first, because the others may be consequences. */
export function blameDeath({ view }: Traffic): Blame | undefined {
  const [first] = view.deaths;
  if (!first) return undefined;
  const { kind, name, code, signal, seq } = first;
  const how = signal === null ? `with ${code}` : `by ${signal}`;
  return { party: name, rule: 1, because: `${kind} ${name} ended by itself, ${how}`, evidence: [seq] };
}
