/** What went wrong in an attempt, failed or not: also what the trial itself did to an edge or made a peer do. */
import { edgeOf, partyIn } from '../../kernel/edge-name.ts';
import type { AttemptView } from '../attempt-view.ts';
import { nameOf, type SeenCall } from '../seen-call.ts';
import type { Blame } from './blame.ts';
import { isFailure } from './legality.ts';
import { illegalOutputs, toBlame } from './rule-illegal.ts';
import { findSilent } from './rule-silent.ts';
import { blameDeath, blameUnreachable } from './rule-unreachable.ts';
import { type Traffic, trafficOf } from './traffic.ts';

/** Undefined if nothing did. */
export function whatWentWrong(view: AttemptView): Blame | undefined {
  const traffic = trafficOf(view);
  return (
    blameDeath(traffic) ??
    blameDisturbed(view) ??
    blameUnreachable(traffic, new Set()) ??
    findSilent(traffic) ??
    toBlame(illegalOutputs(traffic), traffic) ??
    deepestFailure(traffic)
  );
}

/** To the consumer, whatever a tap does to an edge looks like behaviour of the provider. */
function blameDisturbed({ felt, record }: AttemptView): Blame | undefined {
  const [first] = felt;
  if (!first) return undefined;
  const disturb = record.disturbs?.find(({ name }) => name === first.disturbance);
  const fault = disturb?.fault ?? (disturb ?? first).what.split(' ', 1)[0] ?? '';
  const isSilence = ['cut', 'hold', 'held', 'refuse', 'answer', 'delay'].includes(fault.toLowerCase());
  return {
    party: partyIn(first.to),
    edge: edgeOf(first),
    edgeUnsaid: true,
    rule: isSilence ? 1 : 2,
    because: `${first.disturbance} was felt: ${first.what}`,
    evidence: felt.filter(({ to }) => to === first.to).map(({ seq }) => seq),
  };
}

/** The first party that reported a failure or refused, while all its own requests succeeded. */
function deepestFailure(traffic: Traffic): Blame | undefined {
  const found = traffic.calls.filter((call) => isFailure(call) && !traffic.within(call).some(isFailure));
  const first = found.find(({ call }) => traffic.isPlayed(call.to)) ?? found[0];
  if (!first) return undefined;
  return {
    party: first.call.to,
    edge: first.edge,
    rule: 2,
    because: `it answered with a failure: ${outcomeOf(first)} (${nameOf(first)})`,
    evidence: [first.seq],
  };
}

function outcomeOf({ call }: SeenCall): string {
  const { turn, response, error } = call;
  if (turn?.error) return `${turn.error.type}: ${turn.error.message}`;
  if (error !== undefined && error !== null) return JSON.stringify(error).slice(0, 120);
  return response ? `status ${response.status}` : 'no answer';
}
