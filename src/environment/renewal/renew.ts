/** Makes an environment as good as new between two trials, without taking it down. */
import type { ServiceSpec } from '../../system/system.ts';
import { type EnvironmentContext, nodeOf } from '../environment-context.ts';
import { stopGraph } from '../stop-graph.ts';
import { noteOwners, processesOf } from '../strays.ts';
import { runningPid } from './act-on-service.ts';
import { callResetHook } from './call-reset-hook.ts';
import { killService, stopService } from './end-service.ts';
import { endStraysOf } from './end-strays-of.ts';
import { liftDisturbances } from './lift-disturbances.ts';
import { planRenewal, type Renewal, type RenewalLevel } from './plan-renewal.ts';
import { startServices } from './start-services.ts';
import { wipeFolders } from './wipe-folders.ts';

export interface Renewed {
  readonly ms: number;
  /** Names of services. */
  readonly restarted: readonly string[];
  /** Names of resources. */
  readonly restored: readonly string[];
  /** Of services that were asked to end, the one that took longest, and how long all of that took. */
  readonly slowest?: { readonly service: string; readonly allMs: number };
}

export async function renew(
  context: EnvironmentContext,
  level: RenewalLevel,
  signal: AbortSignal,
): Promise<Renewed> {
  const { clock, system } = context;
  const startedAt = clock.monotonic();
  const renewal = planRenewal(level, {
    system,
    snapshots: context.snapshots ?? false,
    isRunning: (name) => runningPid(context, name) !== null,
  });
  const slowest = await (level === 'fresh' ? renewFresh : renewByRestart)(context, renewal, signal);
  return {
    ms: clock.monotonic() - startedAt,
    restarted: renewal.restarted.map(({ name }) => name),
    restored: renewal.restored,
    ...(slowest ? { slowest } : {}),
  };
}

async function renewByRestart(
  context: EnvironmentContext,
  { restarted, told }: Renewal,
  signal: AbortSignal,
): Promise<Renewed['slowest']> {
  const { clock } = context;
  const startedAt = clock.monotonic();
  let slowest = { service: '', ms: -1 };
  await stopGraph(restarted, async (spec) => {
    const askedAt = clock.monotonic();
    await stopService(context, spec, signal);
    const ms = clock.monotonic() - askedAt;
    if (ms > slowest.ms) slowest = { service: spec.name, ms };
  });
  const allMs = Math.round(clock.monotonic() - startedAt);
  await liftDisturbances(context);
  await Promise.all(told.map(({ spec, call }) => callResetHook(context, spec, call, signal)));
  await startServices(context, restarted, signal);
  return restarted.length === 0 ? undefined : { service: slowest.service, allMs };
}

async function renewFresh(
  context: EnvironmentContext,
  { restarted, restored }: Renewal,
  signal: AbortSignal,
): Promise<undefined> {
  await endPolitelyOnce(context, restarted, signal);
  // The signals are sent before the first word to a database: nobody lives to complain that it is gone.
  const ended = endForGood(context, restarted);
  await Promise.all([ended, ...restored.map((name) => nodeOf(context, name).resource?.restore?.())]);
  const wiped = await ended;
  signal.throwIfAborted();
  await liftDisturbances(context);
  // What was moved aside is removed while the services start.
  await Promise.all([wiped(), startServices(context, restarted, signal)]);
}

/** Node writes what it compiled when a program ends by itself; as long as nothing was ever written, this is worth a wait. */
async function endPolitelyOnce(
  context: EnvironmentContext,
  specs: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<void> {
  if (context.hasCompiledCode) return;
  context.hasCompiledCode = true;
  await Promise.all(specs.map((spec) => stopService(context, spec, signal, politeMs)));
}

const politeMs = 500;

/** Gives what removes the folders' old contents. */
async function endForGood(
  context: EnvironmentContext,
  specs: readonly ServiceSpec[],
): Promise<() => Promise<void>> {
  const alone = context.hostPids.outerProc !== undefined;
  noteOwners(processesOf({ ...context, environment: context.label, alone }), context.ledger);
  await Promise.all(specs.map((spec) => killService(context, spec)));
  const names = specs.map(({ name }) => name);
  await endStraysOf(context, names);
  return wipeFolders(context.workspace, names);
}
