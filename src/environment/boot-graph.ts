/** Boots nodes in dependency order, with as much parallelism as the order permits. */
import type { Clock } from '../kernel/clock.ts';
import { type Problem, Problems, problemsIn } from '../kernel/problem.ts';

export interface GraphNode {
  readonly name: string;
  readonly after: readonly string[];
}

/** After the first failure, how long to wait for others that fail for the same reason, so that all are reported. */
const gatherMs = 250;

/**
 * Calls `start` for each node once its dependencies are done. The first failure aborts the signal; the problems of all
 * that failed are thrown together once everything has settled.
 */
export async function bootGraph<Node extends GraphNode>(
  nodes: readonly Node[],
  clock: Clock,
  abort: AbortController,
  start: (node: Node, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const problems: Problem[] = [];
  const done = new Map<string, Promise<boolean>>();
  const boot = async (node: Node): Promise<boolean> => {
    const before = await Promise.all(node.after.map((name) => done.get(name)));
    if (!before.every(Boolean) || abort.signal.aborted) return false;
    try {
      await start(node, abort.signal);
      return true;
    } catch (error) {
      if (error !== abort.signal.reason) problems.push(...problemsIn(error));
      clock.after(gatherMs, () => abort.abort(error));
      return false;
    }
  };
  for (const node of inDependencyOrder(nodes)) done.set(node.name, boot(node));
  const outcomes = await Promise.all(done.values());
  if (problems.length > 0) throw problems.length === 1 ? problems[0] : new Problems(problems);
  if (!outcomes.every(Boolean)) throw abort.signal.reason;
}

/** The validated system has no cycles; each node comes after its dependencies. */
export function inDependencyOrder<Node extends GraphNode>(nodes: readonly Node[]): Node[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const ordered = new Set<Node>();
  const visit = (node: Node): void => {
    if (ordered.has(node)) return;
    for (const name of node.after) {
      const before = byName.get(name);
      if (before) visit(before);
    }
    ordered.add(node);
  };
  for (const node of nodes) visit(node);
  return [...ordered];
}
