/** What a party may have received without a record of it: then its input cannot be shown to be the same as before. */
import { outside } from '../../journal/topology.ts';
import { eventsOf } from '../../journal/trial-event.ts';
import { partyIn } from '../../kernel/edge-name.ts';
import type { Divergence } from './reference/divergence.ts';
import { hasHiddenInput } from './reference/outputs-of.ts';
import type { Traffic } from './traffic.ts';

/** Undefined if everything that it received until it began to differ was observed. */
export function unseenInput(
  party: string,
  roots: readonly Divergence[],
  traffic: Traffic,
): string | undefined {
  const [shared] = sharedPlaces(party, traffic);
  if (shared)
    return `${shared.by.filter((name) => name !== party).join(', ')} may have written to ${shared.path}, which it can read`;
  const [open] = openStreams(party, traffic);
  if (open !== undefined) return `what came on ${open} is not recorded: it is open, or was before`;
  const queue = storesOf(party, traffic)[0];
  if (queue !== undefined && roots.some((root) => !wasTold(party, root, traffic)))
    return `what it may have got from ${queue} before that is not recorded`;
  return hasHiddenInput(party, traffic) ? 'what passes on some of its edges is not read' : undefined;
}

/** Edges on which it reads what does not belong to a call of this attempt. */
export function openStreams(party: string, { view, isStore }: Traffic): readonly string[] {
  return eventsOf(view.events, 'edges.passed')
    .flatMap(({ open = [] }) => open)
    .filter((edge) => {
      const [from, to = ''] = edge.split(' -> ');
      return from === party && !isStore(partyIn(to));
    });
}

/** Folders and files that another service is given, too. */
export function sharedPlaces(party: string, { view }: Traffic) {
  return (view.topology?.shared ?? []).filter(({ by }) => by.includes(party));
}

/** A service may take from there what another one has put there; jobs are done before anybody does. */
function storesOf(party: string, { view, isStore, kindOf }: Traffic): readonly string[] {
  const { edges = [] } = view.topology ?? {};
  if (kindOf(party) !== 'service') return [];
  return edges.filter(({ from, to }) => from === party && isStore(to)).map(({ to }) => to);
}

/** Something reached it in this attempt before the moment of the divergence, if that has one. */
function wasTold(
  party: string,
  { sentAt = Number.POSITIVE_INFINITY }: Divergence,
  { view, askedOf, askedBy }: Traffic,
): boolean {
  const { keeperAt, topology } = view;
  return (
    askedOf(party).some(({ call }) => call.startedAt - keeperAt <= sentAt) ||
    askedBy(party).some(({ call }) => call.response !== undefined && call.endedAt - keeperAt <= sentAt) ||
    // What the trial itself sends is the same, read or not.
    (topology?.edges ?? []).some(({ from, to, seen }) => from === outside && to === party && seen !== 'calls')
  );
}
