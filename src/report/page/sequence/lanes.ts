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
  const names = [...counts.keys()].sort((a, b) => rankOf(a, topology) - rankOf(b, topology));
  return names.map((name) => ({ name, kind: kindOf(name, topology), items: counts.get(name) ?? 0 }));
}

/** `bank.admin` is a listener of `bank`. */
export function laneOf(end: string): string {
  return partyIn(end);
}

function kindOf(name: string, topology: Topology | undefined): Lane['kind'] {
  if (name === outside) return 'outside';
  if (name === shakedown) return 'shakedown';
  return topology?.parties.find((party) => party.name === name)?.kind ?? 'service';
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

/** Services by their distance from outside, then what they use. */
function rankOf(name: string, topology: Topology | undefined): number {
  const distance = distancesFrom(outside, topology?.edges ?? []).get(name) ?? 99;
  return kindRanks[kindOf(name, topology)] * 100 + Math.min(distance, 99);
}

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

/** The way from outside to the failure first, then who differs from the passing attempt, then the busiest. */
export function openLanes(
  lanes: readonly Lane[],
  items: readonly Item[],
  wanted: { readonly parties: readonly string[]; readonly seqs: ReadonlySet<number> },
): ReadonlySet<string> {
  const names = lanes.map(({ name }) => name).filter((name) => name !== shakedown);
  if (names.length <= mostOpen) return new Set(names);
  const marked = items
    .filter(({ seq }) => wanted.seqs.has(seq))
    .flatMap(({ from, to }) => [laneOf(from), laneOf(to)]);
  const goals = [...wanted.parties.map(laneOf), ...marked];
  const ways = goals.flatMap((goal) => wayTo(goal, items));
  const busiest = [...lanes].sort((a, b) => b.items - a.items).map(({ name }) => name);
  const ranked = [outside, ...ways, ...goals, ...(goals.length === 0 ? busiest : [])];
  return new Set([...new Set(ranked)].filter((name) => names.includes(name)).slice(0, mostOpen));
}

/** The shortest chain of calls that were made. */
function wayTo(goal: string, items: readonly Item[]): readonly string[] {
  const before = new Map<string, string>();
  const queue = [outside];
  for (const name of queue) {
    for (const { from, to } of items) {
      const [next, seen] = [
        laneOf(to),
        laneOf(from) !== name || before.has(laneOf(to)) || laneOf(to) === outside,
      ];
      if (seen) continue;
      before.set(next, name);
      queue.push(next);
    }
  }
  const way: string[] = [];
  for (
    let name: string | undefined = goal;
    name !== undefined && !way.includes(name);
    name = before.get(name)
  )
    way.unshift(name);
  return way;
}
