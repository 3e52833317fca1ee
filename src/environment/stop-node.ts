/** Stops one node: its process, then what it provisioned. */
import { limits } from '../kernel/limits.ts';
import { type EnvironmentContext, nodeOf } from './environment-context.ts';
import type { NodeRecord } from './node-record.ts';
import type { RunningProcess } from './processes/start-process.ts';
import type { Declared } from './snapshots/declared-nodes.ts';

/** The time limit for a graceful shutdown in a force stop. */
const forcedMs = 1_000;

/** A snapshot that takes longer to store costs more than it saves. */
const keepWithinMs = 8_000;

export async function stopNode(
  context: EnvironmentContext,
  node: Declared,
  forceStop: AbortSignal,
): Promise<void> {
  const { kind, name } = node;
  const record = nodeOf(context, name);
  if (record.process && !record.process.exit()) {
    const asked = kind === 'service' ? node.spec.stop : { signal: undefined, withinMs: limits.stopWithinMs };
    const withinMs = forceStop.aborted ? Math.min(asked.withinMs, forcedMs) : asked.withinMs;
    const how = await record.process.stop(asked.signal, withinMs, forceStop.aborted ? undefined : forceStop);
    context.emit({ type: 'node.stopped', kind, name, how });
  }
  await discardMade(context, record);
  await Promise.all((record.attached?.relays ?? []).map((relay) => relay.close()));
  if (record.resource) {
    // Never after a failed boot: the state of the jobs is unknown then.
    if (context.isBooted() && !forceStop.aborted)
      await record.resource.keep?.(AbortSignal.any([forceStop, AbortSignal.timeout(keepWithinMs)]));
    await record.resource.stop();
    context.emit({ type: 'node.stopped', kind, name, how: 'asked' });
  }
  if (record.state !== 'failed' && record.state !== 'exited') record.state = 'stopped';
}

/** The container of a process goes with it, with what it has written. */
export async function discardMade(context: EnvironmentContext, record: NodeRecord): Promise<void> {
  const { made } = record;
  const { containers } = context;
  if (!made || !containers) return;
  const { discardContainer } = await import('./containers/run-container.ts');
  await discardContainer({ ...context, containers }, made);
  delete record.made;
}

/** Also what an aborted boot had started by then. */
export async function endAll(started: ReadonlySet<RunningProcess>): Promise<void> {
  await Promise.all([...started].map((running) => running.stop('SIGKILL', forcedMs)));
}
