/** Ends one service while the environment goes on: politely, or at once. */
import { limits } from '../../kernel/limits.ts';
import type { ServiceSpec } from '../../system/system.ts';
import { type EnvironmentContext, nodeOf } from '../environment-context.ts';

/** Asks it to end, in the way and in the time that the config says, and says how it ended; undefined for one that does not run. */
export async function stopService(
  context: EnvironmentContext,
  spec: ServiceSpec,
  hurry: AbortSignal,
  mostMs = spec.stop.withinMs,
): Promise<'asked' | 'killed' | undefined> {
  const how = await end(context, spec, spec.stop.signal, Math.min(mostMs, spec.stop.withinMs), hurry);
  if (how) context.emit({ type: 'node.stopped', kind: 'service', name: spec.name, how });
  return how;
}

/** Without a word to it. */
export async function killService(context: EnvironmentContext, spec: ServiceSpec): Promise<void> {
  await end(context, spec, 'SIGKILL', limits.stopWithinMs, undefined);
}

async function end(
  context: EnvironmentContext,
  spec: ServiceSpec,
  signal: NodeJS.Signals,
  withinMs: number,
  hurry: AbortSignal | undefined,
): Promise<'asked' | 'killed' | undefined> {
  const node = nodeOf(context, spec.name);
  const running = node.process;
  if (!running || running.exit()) return undefined;
  node.ending = running;
  const how = await running.stop(signal, withinMs, hurry);
  // Its taps have nowhere to go until it is started again, and whoever gets its port meanwhile is not it.
  node.addresses.clear();
  return how;
}
