/** Starts services of an environment that is up, in dependency order, and waits until they are ready. */
import type { ServiceSpec } from '../../system/system.ts';
import { bootGraph } from '../boot-graph.ts';
import { bootNode } from '../boot-node.ts';
import type { EnvironmentContext } from '../environment-context.ts';

/** Their other dependencies are already running. */
export async function startServices(
  context: EnvironmentContext,
  specs: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<void> {
  const names = new Set(specs.map(({ name }) => name));
  const nodes = specs.map((spec) => ({
    kind: 'service' as const,
    name: spec.name,
    after: spec.after.filter((name) => names.has(name)),
    spec,
  }));
  // The first failure aborts the others, and nothing else.
  const giveUp = new AbortController();
  const passOn = (): void => giveUp.abort(signal.reason);
  signal.throwIfAborted();
  signal.addEventListener('abort', passOn, { once: true });
  try {
    await bootGraph(nodes, context.clock, giveUp, (node, given) => bootNode(context, node, given));
  } finally {
    signal.removeEventListener('abort', passOn);
  }
}
