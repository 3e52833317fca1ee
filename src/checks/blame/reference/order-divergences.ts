/** A failed `order` check: of two calls of one party, the second came before the first, as it never did when the trial passed. */
import { isStoreCall } from '../../../journal/call-event.ts';
import { partyIn } from '../../../kernel/edge-name.ts';
import { matchingCalls } from '../../derived/matching-calls.ts';
import type { CallMoment, Moment, OrderQuery } from '../../derived-queries.ts';
import { nameOf, type SeenCall } from '../../seen-call.ts';
import type { CheckVerdict } from '../../verdict.ts';
import type { Traffic } from '../traffic.ts';
import type { Divergence } from './divergence.ts';
import { checkOutputName } from './outputs-of.ts';

/** The checks held when the trial passed, so that the order was the other one then. */
export function orderDivergences(failed: readonly CheckVerdict[], traffic: Traffic): readonly Divergence[] {
  const { view } = traffic;
  return failed.flatMap(({ id }) => {
    const check = view.checks.find((one) => one.id === id);
    if (check?.kind !== 'order') return [];
    const turned = turnedRound(check.query as unknown as OrderQuery, traffic);
    if (!turned) return [];
    const { early, late } = turned;
    return [
      {
        party: early.call.from,
        to: [partyIn(early.call.to)],
        sure: !isBusy(early, traffic),
        sentAt: early.call.startedAt - view.keeperAt,
        mattersAt: early.call.startedAt - view.keeperAt,
        edge: early.edge,
        output: checkOutputName(id),
        text: `${nameOf(early)} came before ${nameOf(late)}, and not after it as in the passing run`,
        seqs: [early.seq, late.seq],
      },
    ];
  });
}

/** The first two neighbours that came in the other order, each of them once; only of one party is the order its own. */
function turnedRound({ moments }: OrderQuery, traffic: Traffic) {
  const found = moments.map((moment) => (isCall(moment) ? onlyCall(moment, traffic) : undefined));
  for (const [index, early] of found.entries()) {
    const late = found[index - 1];
    if (!early || !late || early.call.from !== late.call.from) continue;
    if (early.call.startedAt < late.call.startedAt) return { early, late };
  }
  return undefined;
}

function isCall(moment: Moment): moment is CallMoment {
  return !('exchange' in moment) && !('never' in moment);
}

function onlyCall(moment: CallMoment, { view }: Traffic): SeenCall | undefined {
  const { calls } = matchingCalls(moment, view);
  return calls.length === 1 ? calls[0] : undefined;
}

/** It waited for an answer just then: perhaps that one came late, and nothing of its own was early. */
function isBusy({ call }: SeenCall, traffic: Traffic): boolean {
  return traffic
    .askedBy(call.from)
    .some(
      (other) =>
        !(isStoreCall(other.call) && other.call.waits) &&
        other.call.startedAt < call.startedAt &&
        other.call.endedAt > call.startedAt,
    );
}
