/** The lanes of a diagram: who takes part, in which order, and which of them are open at first. */

import { outside, type PartyKind, type Topology } from '../../../journal/topology.ts';
import { eventsOf } from '../../../journal/trial-event.ts';
import { partyIn } from '../../../kernel/edge-name.ts';
import type { ReportedAttempt } from '../embedded-report.ts';
import { type Item, shakedown } from './items.ts';

export interface Lane {
  readonly name: string;
  readonly kind: PartyKind | 'outside' | 'shakedown';
  /** How many items begin or end on it. */
  readonly items: number;
}

/** Callers before those whom they call, and Shakedown last. */
export function lanesOf(attempt: ReportedAttempt, items: readonly Item[]): readonly Lane[] {
  const topology = eventsOf(attempt.events, 'attempt.started')[0]?.topology;
  const counts = new Map<string, number>();
  for (const { from, to } of items)
    for (const name of new Set([laneOf(from), laneOf(to)])) counts.set(name, (counts.get(name) ?? 0) + 1);
  const distances = distancesFrom(outside, topology?.edges ?? []);
  // Services by their distance from outside, then what they use.
  const rankOf = (name: string): number =>
    kindRanks[kindOf(name, topology)] * 100 + Math.min(distances.get(name) ?? 99, 99);
  const names = [...counts.keys()].sort((a, b) => rankOf(a) - rankOf(b));
  return names.map((name) => ({ name, kind: kindOf(name, topology), items: counts.get(name) ?? 0 }));
}

/** `bank.admin` is a listener of `bank`. */
export function laneOf(end: string): string {
  return partyIn(end);
}

function kindOf(name: string, topology: Topology | undefined): Lane['kind'] {
  if (name === outside) return 'outside';
  if (name === shakedown) return 'shakedown';
  return topology?.parties?.find((party) => party.name === name)?.kind ?? 'service';
}

const kindRanks: Readonly<Record<Lane['kind'], number>> = {
  outside: 0,
  service: 1,
  job: 2,
  peer: 3,
  model: 4,
  resource: 5,
  shakedown: 6,
};

function distancesFrom(start: string, edges: Topology['edges']): ReadonlyMap<string, number> {
  const distances = new Map([[start, 0]]);
  for (const [name, distance] of distances) {
    for (const { from, to } of edges)
      if (laneOf(from) === name && !distances.has(laneOf(to))) distances.set(laneOf(to), distance + 1);
  }
  return distances;
}

/** So many fit beside their texts. */
const mostOpen = 6;

/**
 * The way from outside to the failure first, then who differs from the passing attempt, then whom these call; without a
 * failure, the busiest.
 */
export function openLanes(
  lanes: readonly Lane[],
  items: readonly Item[],
  wanted: { readonly parties: readonly string[]; readonly seqs: ReadonlySet<number> },
): ReadonlySet<string> {
  const names = new Set(lanes.map(({ name }) => name).filter((name) => name !== shakedown));
  const marked = items.filter(({ seq }) => wanted.seqs.has(seq)).flatMap(endsOf);
  const goals = [...new Set([...wanted.parties.map(laneOf), ...marked])].filter((name) => name !== shakedown);
  const before = callersFrom(outside, items);
  const told = receiversOfTelemetry(items);
  const called = items.filter(({ from, to }) => goals.includes(laneOf(from)) && !told.has(laneOf(to)));
  const busiest = [...lanes].sort((a, b) => b.items - a.items).filter(({ name }) => !told.has(name));
  const others = goals.length === 0 ? busiest.map(({ name }) => name) : called.map(({ to }) => laneOf(to));
  const ranked = [outside, ...goals.flatMap((goal) => wayTo(goal, before)), ...goals, ...others];
  return new Set([...new Set(ranked)].filter((name) => names.has(name)).slice(0, mostOpen));
}

function endsOf({ from, to }: Item): readonly string[] {
  return [laneOf(from), laneOf(to)];
}

/** Who only gets traces, metrics and logs is in no way to anything. */
function receiversOfTelemetry(items: readonly Item[]): ReadonlySet<string> {
  const received = Map.groupBy(
    items.filter(({ from, to }) => from !== to),
    ({ to }) => laneOf(to),
  );
  const isTold = ({ label }: Item): boolean => /^POST \/v1\/(?:traces|metrics|logs)$/.test(label);
  return new Set([...received].flatMap(([name, calls]) => (calls.every(isTold) ? [name] : [])));
}

/** Lane to the one that called it, on the shortest chain of calls that were made. */
function callersFrom(start: string, items: readonly Item[]): ReadonlyMap<string, string> {
  const calls = Map.groupBy(items, ({ from }) => laneOf(from));
  const before = new Map<string, string>();
  const queue = [start];
  for (const name of queue) {
    for (const next of new Set(calls.get(name)?.map(({ to }) => laneOf(to)))) {
      if (next === start || next === name || before.has(next)) continue;
      before.set(next, name);
      queue.push(next);
    }
  }
  return before;
}

function wayTo(goal: string, before: ReadonlyMap<string, string>): readonly string[] {
  const way: string[] = [];
  for (let name: string | undefined = goal; name !== undefined; name = before.get(name)) way.unshift(name);
  return way;
}
