/** What went wrong in an attempt, whether or not it failed: what the trial itself did to an edge or told a peer to do counts here. */
import type { AttemptView } from '../attempt-view.ts';
import { edgeOf, nameOf, type SeenCall } from '../seen-call.ts';
import type { Blame } from './blame.ts';
import { isFailure } from './legality.ts';
import { blameDeath } from './rule-died.ts';
import { illegalOutputs, toBlame } from './rule-illegal.ts';
import { findSilent } from './rule-silent.ts';
import { blameUnreachable } from './rule-unreachable.ts';
import { type Traffic, trafficOf } from './traffic.ts';

/** Undefined when nothing did. */
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

/** Whatever a tap does to an edge, its consumer must take for something that the provider did. */
function blameDisturbed({ felt }: AttemptView): Blame | undefined {
  const [first] = felt;
  if (!first) return undefined;
  const isSilence = /^(?:cut|hold|held|refuse|answer|delay)/i.test(first.what);
  return {
    party: first.to,
    edge: edgeOf(first),
    rule: isSilence ? 1 : 2,
    because: `${first.disturbance} was felt: ${first.what}`,
    evidence: felt.filter(({ to }) => to === first.to).map(({ seq }) => seq),
  };
}

/** The first party that said it failed or refused, while whatever it had asked for itself was well. */
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
