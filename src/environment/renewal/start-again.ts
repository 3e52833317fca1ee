/** Starts services of an environment that is up, and jobs that run again, in dependency order, until all are ready. */
import type { JobSpec, ServiceSpec } from '../../system/system.ts';
import { bootGraph } from '../boot-graph.ts';
import { bootNode } from '../boot-node.ts';
import type { EnvironmentContext } from '../environment-context.ts';
import type { Declared } from '../snapshots/declared-nodes.ts';

/** Their other dependencies are already running. */
export async function startAgain(
  context: EnvironmentContext,
  specs: readonly (JobSpec | ServiceSpec)[],
  signal: AbortSignal,
): Promise<void> {
  const names = new Set(specs.map(({ name }) => name));
  const nodes = specs.map((spec): Declared => {
    const after = spec.after.filter((name) => names.has(name));
    return spec.kind === 'job'
      ? { kind: 'job', name: spec.name, after, spec }
      : { kind: 'service', name: spec.name, after, spec };
  });
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
