/** Boots one node of the graph, of any kind, and records the outcome. */

import { untilAborted } from '../kernel/until-aborted.ts';
import { isAttached } from '../system/attached/attached-services.ts';
import type { bootAttached } from './boot-attached.ts';
import { bootJob } from './boot-job.ts';
import { bootResource } from './boot-resource.ts';
import { bootService } from './boot-service.ts';
import { type EnvironmentContext, nodeOf } from './environment-context.ts';
import { worldProblem } from './processes/world-problem.ts';
import type { BootStep } from './snapshots/boot-order.ts';
import type { Declared } from './snapshots/declared-nodes.ts';
import { outside } from './wiring/edges.ts';

/** A snapshot is a step, not a node with a status: only its failure is reported. */
export async function bootStep(
  context: EnvironmentContext,
  step: BootStep,
  signal: AbortSignal,
): Promise<void> {
  if (step.kind === 'volumes') await keepVolumes(context);
  else if (step.kind !== 'snapshot') await bootNode(context, step, signal);
  else await untilAborted(signal, nodeOf(context, step.spec.name).resource?.snapshot?.() ?? nothing);
}

/** The containers of the jobs are still there. */
async function keepVolumes(context: EnvironmentContext): Promise<void> {
  const { keepJobVolumes } = await import('./containers/keep-job-volumes.ts');
  await keepJobVolumes(context);
}

const nothing = Promise.resolve();

/** Most systems have none. */
const attach: typeof bootAttached = async (...parts) =>
  (await import('./boot-attached.ts')).bootAttached(...parts);

export async function bootNode(
  context: EnvironmentContext,
  node: Declared,
  signal: AbortSignal,
): Promise<void> {
  const { kind, name } = node;
  const record = nodeOf(context, name);
  record.state = 'starting';
  context.emit({ type: 'node.starting', kind, name });
  try {
    if (kind === 'resource') await bootResource(context, node.spec, signal);
    else if (kind === 'job') await bootJob(context, node.spec, signal);
    else if (isAttached(node.spec)) await attach(context, node.spec, signal);
    else await bootService(context, node.spec, signal);
  } catch (error) {
    record.state = 'failed';
    throw worldProblem(error, `${kind} ${name}`);
  }
  const address = context.book.taps.find(({ edge }) => edge.from === outside && edge.to === name)?.url;
  context.emit({ type: 'node.ready', kind, name, ...(address ? { address } : {}) });
}
