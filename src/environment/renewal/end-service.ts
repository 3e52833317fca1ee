/** Stops one service while the environment stays up: gracefully, or at once. */
import { limits } from '../../kernel/limits.ts';
import type { ServiceSpec } from '../../system/system.ts';
import { type EnvironmentContext, nodeOf } from '../environment-context.ts';

/**
 * Stops it with the signal and the time limit of the config, and returns how it ended; undefined when it was not
 * running.
 */
export async function stopService(
  context: EnvironmentContext,
  spec: ServiceSpec,
  forceStop: AbortSignal,
  mostMs = spec.stop.withinMs,
): Promise<'asked' | 'killed' | undefined> {
  const how = await end(context, spec, spec.stop.signal, Math.min(mostMs, spec.stop.withinMs), forceStop);
  if (how) context.emit({ type: 'node.stopped', kind: 'service', name: spec.name, how });
  return how;
}

/** Kills it without a graceful shutdown. */
export async function killService(context: EnvironmentContext, spec: ServiceSpec): Promise<void> {
  await end(context, spec, 'SIGKILL', limits.stopWithinMs, undefined);
}

async function end(
  context: EnvironmentContext,
  spec: ServiceSpec,
  signal: NodeJS.Signals | undefined,
  withinMs: number,
  forceStop: AbortSignal | undefined,
): Promise<'asked' | 'killed' | undefined> {
  const node = nodeOf(context, spec.name);
  const running = node.process;
  if (!running || running.exit()) return undefined;
  node.ending = running;
  const how = await running.stop(signal, withinMs, forceStop);
  // Its taps have no target until it is started again, because another process may get its port meanwhile.
  node.addresses.clear();
  return how;
}
