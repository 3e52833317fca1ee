/** Stops nodes in reverse dependency order: each one after its dependents. */
import { Problems, problemsIn } from '../kernel/problem.ts';
import type { GraphNode } from './boot-graph.ts';

/** Continues when a stop fails, then throws all failures. */
export async function stopGraph<Node extends GraphNode>(
  nodes: readonly Node[],
  stop: (node: Node) => Promise<void>,
): Promise<void> {
  const stopped = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const stopOnce = (node: Node): Promise<void> => {
    const known = stopped.get(node.name);
    if (known) return known;
    const leaning = nodes.filter(({ after }) => after.includes(node.name));
    const done = Promise.all(leaning.map(stopOnce))
      .then(() => stop(node))
      .catch((error: unknown) => void failures.push(error));
    stopped.set(node.name, done);
    return done;
  };
  await Promise.all(nodes.map(stopOnce));
  if (failures.length > 1) throw new Problems(failures.flatMap(problemsIn));
  if (failures.length > 0) throw failures[0];
}
