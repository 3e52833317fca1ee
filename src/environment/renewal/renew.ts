/** Resets an environment between two trials, without taking it down. */
import path from 'node:path';
import { makeFolderBelow, moveBelow } from '../../kernel/folders/entries-below.ts';
import { removeWhole } from '../../kernel/folders/remove-tree.ts';
import { Problem } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { nowhere } from '../../resources/resource.ts';
import type { JobSpec, ServiceSpec } from '../../system/system.ts';
import { lastUseBy } from '../containment/memory-segments.ts';
import { type EnvironmentContext, nodeOf } from '../environment-context.ts';
import { stopGraph } from '../stop-graph.ts';
import { endMarked, noteOwners, processesOf } from '../strays.ts';
import { makeOwnFolders, ownFolders } from '../wiring/hermetic-env.ts';
import { resumeAll, runningPid } from './act-on-service.ts';
import { callResetHook } from './call-reset-hook.ts';
import { killService, stopService } from './end-service.ts';
import { planRenewal, type Renewal, type RenewalLevel } from './plan-renewal.ts';
import { startAgain } from './start-again.ts';

export interface Renewed {
  readonly ms: number;
  /** Names of services. */
  readonly restarted: readonly string[];
  /** Names of resources. */
  readonly restored: readonly string[];
  /** Of the services that were stopped gracefully, the slowest one, and how long all of them took. */
  readonly slowest?: { readonly service: string; readonly allMs: number };
}

export async function renew(
  context: EnvironmentContext,
  level: RenewalLevel,
  signal: AbortSignal,
): Promise<Renewed> {
  const { clock, system } = context;
  const startedAt = clock.monotonic();
  await resumeAll(context);
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
  { restarted, notified }: Renewal,
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
  await Promise.all(notified.map(({ spec, call }) => callResetHook(context, spec, call, signal)));
  await startAgain(context, restarted, signal);
  return restarted.length === 0 ? undefined : { service: slowest.service, allMs };
}

async function renewFresh(
  context: EnvironmentContext,
  { restarted, again, restored }: Renewal,
  signal: AbortSignal,
): Promise<undefined> {
  await endPolitelyOnce(context, restarted, signal);
  // Signals are sent before the database is restored, so that no service can log an error about it.
  const ended = endForGood(context, restarted, again);
  const restore = (names: readonly string[]): Promise<unknown> =>
    Promise.all(names.map((name) => nodeOf(context, name).resource?.restore?.()));
  const isFile = (name: string): boolean => nodeOf(context, name).resource?.endpoint === nowhere;
  await Promise.all([ended, restore(restored.filter((name) => !isFile(name)))]);
  const wiped = await ended;
  // Who still runs could write to a file that is back already.
  await restore(restored.filter(isFile));
  if (context.containers) await renewContainersOf(context, restarted);
  signal.throwIfAborted();
  await liftDisturbances(context);
  // Folders that were moved aside are removed while the services start.
  await Promise.all([wiped(), startAgain(context, [...again, ...restarted], signal)]);
}

async function renewContainersOf(
  context: EnvironmentContext,
  services: readonly ServiceSpec[],
): Promise<void> {
  const { renewContainers } = await import('../containers/keep-job-volumes.ts');
  await renewContainers(context, services);
}

/** Node writes its compile cache when a program exits by itself; while the cache is empty, that is worth the wait. */
async function endPolitelyOnce(
  context: EnvironmentContext,
  specs: readonly ServiceSpec[],
  signal: AbortSignal,
): Promise<void> {
  if (context.hasCompiledCode) return;
  context.hasCompiledCode = true;
  const processes = specs.filter(({ container }) => container === undefined);
  await Promise.all(processes.map((spec) => stopService(context, spec, signal, politeMs)));
}

const politeMs = 500;

/** Returns a function that removes the folders' old contents. */
async function endForGood(
  context: EnvironmentContext,
  specs: readonly ServiceSpec[],
  jobs: readonly JobSpec[],
): Promise<() => Promise<void>> {
  const alone = context.hostPids.outerProc !== undefined;
  const processes = processesOf({ ...context, environment: context.label, alone });
  noteOwners(processes, context.ledger);
  context.lastUses.push(...lastUseBy(() => processes.map(({ pid }) => pid)));
  await Promise.all(specs.map((spec) => killService(context, spec)));
  const names = [...specs, ...jobs].map(({ name }) => name);
  await endStraysOf(context, names);
  return wipeFolders(context.workspace, names);
}

/** Data that a rule held back is not delivered late, because it belongs to a trial that is over. */
async function liftDisturbances({ disturbed, book, stdioRules }: EnvironmentContext): Promise<void> {
  stdioRules.clear();
  await Promise.all(book.taps.map(({ tap }) => tap.disturbExchanges([])));
  const taps = [...disturbed];
  disturbed.clear();
  await Promise.all(
    taps.map(async (tap) => {
      await tap.disturb({ rule: 'cut', direction: 'both', by: 'reset' });
      await tap.disturb({ rule: 'pass' });
    }),
  );
}

/** Kills processes that outlived the given services, and no others: found by home, folder and log. */
async function endStraysOf(context: EnvironmentContext, names: readonly string[]): Promise<void> {
  const { clock, workspace, emit, hostPids } = context;
  const { found, left } = await endMarked(clock, {
    variables: names.map((name) => `HOME=${ownFolders(workspace, name).home}`),
    // In our own namespace, every process with that working folder is ours.
    folders: hostPids.outerProc ? names.map((name) => path.join(workspace, name)) : [],
    outputs: names.map((name) => nodeOf(context, name).logFile),
  });
  for (const commandLine of found) emit({ type: 'stray.ended', commandLine });
  if (left.length === 0) return;
  throw new Problem({
    code: 'left.behind',
    where: 'making the environment fresh',
    what: `processes that services left cannot be ended: ${left.join('; ')}`,
    allowed: 'processes that end when they are killed',
    next: 'inspect them with `ps`; take the environment down and start again',
  });
}

/** Home, temporary and own folder, and the recordings of shims. Returns a function that removes the old contents. */
export async function wipeFolders(workspace: string, names: readonly string[]): Promise<() => Promise<void>> {
  const below = path.dirname(workspace);
  const options = { below, owners: 'everybody' } as const;
  const aside = path.join(workspace, '.wiped'); // no service has such a name
  await removeWhole(aside, options);
  makeFolderBelow(below, aside, 0o700);
  for (const name of names) {
    const folder = path.join(workspace, name);
    try {
      moveBelow(below, folder, path.join(aside, name));
    } catch (error) {
      // It may be gone, or its mode may prevent the move: then it is removed in place.
      if (errorCode(error) === undefined) throw error;
      await removeWhole(folder, options);
    }
    makeOwnFolders(workspace, name);
  }
  return () => removeWhole(aside, options);
}
