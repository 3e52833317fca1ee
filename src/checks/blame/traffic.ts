/** The traffic between the parties of an attempt, in the form that blame uses. */
import { isStoreCall, isUnread } from '../../journal/call-event.ts';
import { outside, type Party, type PartyKind, type TopologyEdge } from '../../journal/topology.ts';
import type { EventOf } from '../../journal/trial-event.ts';
import { type EdgeEnds, edgeOf, partyIn } from '../../kernel/edge-name.ts';
import type { AttemptView } from '../attempt-view.ts';
import type { SeenCall } from '../seen-call.ts';
import { isStoreTalk } from './store-calls.ts';

export interface Traffic {
  /** Its calls are as they were seen; the edges of its topology, and the calls before it, lead to parties. */
  readonly view: AttemptView;
  /** Each to a party, `bank`, on an edge that may lead to one of its listeners, `shop -> bank.admin`. */
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
  /** Whether statements are among the calls. */
  readonly hasStatements: boolean;
  /** It only keeps what others write. */
  isStore(party: string): boolean;
  /** Edges from this party whose calls are not decoded; `edge` is its name with the listener. */
  unseenFrom(party: string): readonly (TopologyEdge & { readonly edge: string })[];
  /** True if the trial itself ended or stopped this party, so that its silence is expected. */
  wasStopped(party: string): boolean;
}

/** The comparison is quadratic: beyond this, calls are not used for blame. */
export const mostBlamedCalls = 2_000;

/** Statements are many: more than this are left out, and their edges count as unread. */
const mostStatements = 700;

/** `withStatements: false`: as if no tap read what passes to stores. */
export function trafficOf(view: AttemptView, withStatements = true): Traffic {
  const { calls: read, hasStatements } = callsToBlame(view, withStatements);
  const calls = read.map((seen) => ({ ...seen, call: toParty(seen.call) }));
  const parties = new Map((view.topology?.parties ?? []).map((party) => [party.name, party]));
  const byProvider = Map.groupBy(calls, ({ call }) => call.to);
  const byConsumer = Map.groupBy(calls, ({ call }) => call.from);
  const kindOf = (name: string): PartyKind | 'outside' =>
    name === outside ? 'outside' : (parties.get(name)?.kind ?? guessedKind(name, view));
  const { topology } = view;
  return {
    view: {
      ...view,
      topology: topology && { ...topology, edges: topology.edges.map(toParty) },
      before: view.before && { ...view.before, calls: view.before.calls.map(toParty) },
    },
    calls,
    hasStatements,
    isStore: (name) =>
      view.calls.some(({ call }) => partyIn(call.to) === name && isStoreCall(call)) ||
      (kindOf(name) === 'resource' && keepsOnly(name, topology)),
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
      (topology?.edges ?? [])
        .filter((edge) => edge.from === name && isUnseen(edge, parties, view, hasStatements))
        .map((edge) => ({ ...toParty(edge), edge: edgeOf(edge) })),
    wasStopped: (name) =>
      view.events.some(
        (event) =>
          (event.type === 'node.stopped' && event.name === name) ||
          (event.type === 'node.exited' && event.name === name && event.expected),
      ),
  };
}

/** Statements lead there, or no edge at all: a file. */
function keepsOnly(name: string, topology: AttemptView['topology']): boolean {
  const into = topology?.edges.filter(({ to }) => to === name);
  return into !== undefined && (into.length === 0 || into.some(({ seen }) => seen === 'statements'));
}

/** A listener belongs to its service, whose own calls come from the service. */
function toParty<Ends extends EdgeEnds>(ends: Ends): Ends {
  return { ...ends, to: partyIn(ends.to) };
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

function isUnseen(
  { from, to, seen }: TopologyEdge,
  parties: ReadonlyMap<string, Party>,
  view: AttemptView,
  hasStatements: boolean,
): boolean {
  if (seen === undefined) return parties.get(to)?.kind === 'resource';
  if (seen === 'calls') return false;
  const onEdge = view.calls.filter(({ call }) => call.from === from && call.to === to && isStoreCall(call));
  if (!hasStatements || onEdge.some(({ call }) => isUnread(call))) return true;
  return seen === 'bytes' && onEdge.length === 0;
}

function callsToBlame({ calls }: AttemptView, withStatements: boolean) {
  const statements = calls.filter(({ call }) => isStoreCall(call) && !isStoreTalk(call));
  const others = calls.filter(({ call }) => !isStoreCall(call));
  const hasStatements = withStatements && statements.length <= mostStatements;
  if (others.length > mostBlamedCalls) return { calls: [], hasStatements: false };
  const read = new Set(hasStatements ? [...others, ...statements] : others);
  return { calls: calls.filter((call) => read.has(call)), hasStatements };
}

function beganDuring(inner: Pick<SeenCall, 'call'>, outer: SeenCall['call']): boolean {
  const { startedAt } = inner.call;
  return startedAt >= outer.startedAt && startedAt <= outer.endedAt;
}
