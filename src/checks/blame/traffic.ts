/** The traffic between the parties of an attempt, in the form that blame uses. */
import { isStoreCall } from '../../journal/call-event.ts';
import { outside, type Party, type PartyKind, type TopologyEdge } from '../../journal/topology.ts';
import type { EventOf } from '../../journal/trial-event.ts';
import { edgeOf } from '../../kernel/edge-name.ts';
import type { AttemptView } from '../attempt-view.ts';
import type { SeenCall } from '../seen-call.ts';

export interface Traffic {
  readonly view: AttemptView;
  readonly calls: readonly SeenCall[];
  kindOf(party: string): PartyKind | 'outside';
  /** A peer that we play: whatever it does, the trial or the config requested it. */
  isPlayed(party: string): boolean;
  /** What a tap did to this call, as the trial requested. */
  disturbanceOf(call: SeenCall): EventOf<'disturbance.felt'> | undefined;
  /** Calls to a party. */
  askedOf(party: string): readonly SeenCall[];
  /** Calls from a party. */
  askedBy(party: string): readonly SeenCall[];
  /** The calls that the provider of this one made during it. */
  within(call: SeenCall): readonly SeenCall[];
  /** The calls that the consumer of this one was serving when it began. */
  around(call: SeenCall): readonly SeenCall[];
  /** Edges from this party whose calls are not decoded. */
  unseenFrom(party: string): readonly TopologyEdge[];
  /** True if the trial itself ended or stopped this party, so that its silence is expected. */
  wasStopped(party: string): boolean;
}

/** The comparison is quadratic: beyond this, calls are not used for blame. */
export const mostBlamedCalls = 2_000;

export function trafficOf(view: AttemptView): Traffic {
  const read = view.calls.filter(({ call }) => !isStoreCall(call));
  const calls = read.length > mostBlamedCalls ? [] : read;
  const parties = new Map((view.topology?.parties ?? []).map((party) => [party.name, party]));
  const byProvider = Map.groupBy(calls, ({ call }) => call.to);
  const byConsumer = Map.groupBy(calls, ({ call }) => call.from);
  const kindOf = (name: string): PartyKind | 'outside' =>
    name === outside ? 'outside' : (parties.get(name)?.kind ?? guessedKind(name, view));
  return {
    view,
    calls,
    kindOf,
    isPlayed: (name) => ['peer', 'model'].includes(kindOf(name)) && !isReal(name, view),
    disturbanceOf: ({ call, edge }) =>
      view.felt.find(
        (felt) =>
          edgeOf(felt) === edge &&
          (felt.crossing > 0 ? felt.crossing === call.crossing : felt.connection === call.connection),
      ),
    askedOf: (name) => byProvider.get(name) ?? [],
    askedBy: (name) => byConsumer.get(name) ?? [],
    within: ({ call }) => (byConsumer.get(call.to) ?? []).filter((inner) => beganDuring(inner, call)),
    around: ({ call }) =>
      (byProvider.get(call.from) ?? []).filter((outer) => beganDuring({ call }, outer.call)),
    unseenFrom: (name) =>
      (view.topology?.edges ?? []).filter((edge) => edge.from === name && isUnseen(edge, parties)),
    wasStopped: (name) =>
      view.events.some(
        (event) =>
          (event.type === 'node.stopped' && event.name === name) ||
          (event.type === 'node.exited' && event.name === name && event.expected),
      ),
  };
}

/** A journal without a topology names at least the parties that we play. */
function guessedKind(name: string, view: AttemptView): PartyKind {
  if (view.modelCalls.some(({ resource }) => resource === name)) return 'model';
  return view.peerCalls.some(({ resource }) => resource === name) ? 'peer' : 'service';
}

/** It forwards to a real provider. */
function isReal(name: string, view: AttemptView): boolean {
  return (
    view.peerCalls.some(({ resource, by }) => resource === name && by === 'upstream') ||
    view.modelCalls.some(({ resource, mode }) => resource === name && (mode === 'live' || mode === 'record'))
  );
}

function isUnseen({ to, seen }: TopologyEdge, parties: ReadonlyMap<string, Party>): boolean {
  return seen === undefined ? parties.get(to)?.kind === 'resource' : seen !== 'calls';
}

function beganDuring(inner: Pick<SeenCall, 'call'>, outer: SeenCall['call']): boolean {
  const { startedAt } = inner.call;
  return startedAt >= outer.startedAt && startedAt <= outer.endedAt;
}
