/** Stops one node: its process, then what it provisioned. */
import { limits } from '../kernel/limits.ts';
import type { Declared } from './declared-nodes.ts';
import { type EnvironmentContext, nodeOf } from './environment-context.ts';
import type { RunningProcess } from './processes/start-process.ts';

/** When whoever held us is dead, goodbyes are short. */
const hurriedMs = 1_000;

/** A snapshot that takes longer to keep costs more than it saves. */
const keepWithinMs = 8_000;

export async function stopNode(
  context: EnvironmentContext,
  node: Declared,
  hurry: AbortSignal,
): Promise<void> {
  const { kind, name } = node;
  const record = nodeOf(context, name);
  if (record.process && !record.process.exit()) {
    const asked =
      kind === 'service' ? node.spec.stop : { signal: 'SIGTERM' as const, withinMs: limits.stopWithinMs };
    const withinMs = hurry.aborted ? Math.min(asked.withinMs, hurriedMs) : asked.withinMs;
    const how = await record.process.stop(asked.signal, withinMs, hurry.aborted ? undefined : hurry);
    context.emit({ type: 'node.stopped', kind, name, how });
  }
  if (record.resource) {
    // Never after a boot that failed: nobody knows what the jobs did then.
    if (context.isBooted() && !hurry.aborted)
      await record.resource.keep?.(AbortSignal.any([hurry, AbortSignal.timeout(keepWithinMs)]));
    await record.resource.stop();
    context.emit({ type: 'node.stopped', kind, name, how: 'asked' });
  }
  if (record.state !== 'failed' && record.state !== 'exited') record.state = 'stopped';
}

/** Whatever a boot that was given up had started by then. */
export async function endAll(started: ReadonlySet<RunningProcess>): Promise<void> {
  await Promise.all([...started].map((running) => running.stop('SIGKILL', hurriedMs)));
}
