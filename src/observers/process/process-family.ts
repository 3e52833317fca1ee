/** What is asked about a process and those that descend from it. */

export interface ProcessFamily {
  /** Resident bytes of all of them together. */
  readonly rss: number;
  /** Open descriptors of the process itself; null where that cannot be known. */
  readonly fds: number | null;
  /** All its descendants, of which some are shown. */
  readonly pids: readonly number[];
  readonly children: readonly ProcessChild[];
}

export interface ProcessChild {
  readonly pid: number;
  readonly argv: readonly string[];
}

export interface ProcessFamilies {
  /** Undefined when there is no such process, or none that runs. */
  of(pid: number, signal: AbortSignal): Promise<ProcessFamily | undefined>;
}

/** All descendants of a process, given the parent of each process. */
export function descendants(parents: ReadonlyMap<number, number>, pid: number): readonly number[] {
  const childrenOf = Map.groupBy(parents.keys(), (child) => parents.get(child) as number);
  const found = new Set<number>([pid]);
  const waiting = [pid];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop())
    for (const child of childrenOf.get(parent) ?? [])
      if (!found.has(child)) {
        found.add(child);
        waiting.push(child);
      }
  found.delete(pid);
  return [...found].sort((a, b) => a - b);
}
