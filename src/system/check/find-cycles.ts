/** Finds cycles in a graph: one for every group of nodes that reach each other. */

/** Each cycle begins and ends with the same name: `['a', 'b', 'a']`. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const seen = new Set<string>();
  const cycles: string[][] = [];
  for (const start of graph.keys()) {
    if (seen.has(start)) continue;
    const cycle = shortestWayBack(graph, start);
    if (!cycle) continue;
    cycles.push(cycle);
    for (const name of mutuallyReachable(graph, start)) seen.add(name);
  }
  return cycles;
}

function shortestWayBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const queue: string[][] = [[start]];
  const seen = new Set<string>();
  for (let way = queue.shift(); way; way = queue.shift()) {
    for (const next of graph.get(way.at(-1) as string) ?? []) {
      if (next === start) return [...way, start];
      if (!seen.has(next)) queue.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}

function mutuallyReachable(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] {
  return [...reachable(graph, start)].filter((name) => reachable(graph, name).has(start));
}

function reachable(graph: ReadonlyMap<string, readonly string[]>, start: string): Set<string> {
  const found = new Set<string>();
  const waiting = [start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const next of graph.get(name) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      waiting.push(next);
    }
  }
  return found;
}
