/** Finds the environment that is up in a folder. */
import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { bootId } from '../../environment/containment/boot-id.ts';
import { placeHere } from '../../environment/containment/place.ts';
import { openProcessTable } from '../../environment/containment/process-table.ts';
import { connectKeeper } from '../../environment/keeper/keeper-client.ts';
import { readFoundPlan } from '../../environment/plan.ts';
import { runFolderOf, socketName } from '../../environment/run-folder.ts';
import {
  readUpLock,
  releaseUpLock,
  removeUpLock,
  takeUpLock,
  type UpLock,
} from '../../environment/up-lock.ts';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor } from '../../kernel/deadline.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem } from '../../kernel/problem.ts';
import { absentOn } from '../../kernel/system-error.ts';
import type { Host } from './host.ts';

export type Live = NonNullable<Awaited<ReturnType<typeof findLive>>>;

/**
 * The keeper of this folder's environment, or of that of a run; undefined when it is not up. Waits for one that is being
 * launched.
 */
export async function findLive(folder: string, clock: Clock, run?: string) {
  const lock: UpLock | undefined =
    run === undefined ? readUpLock(folder) : { run, holder: undefined, bootId: bootId(clock) };
  if (!lock) return undefined;
  const runFolder = runFolderOf(folder, lock.run);
  const client = await waitFor(clock, { withinMs: limits.keeperStartMs }, async () => {
    const answered = await connectKeeper(runFolder, clock);
    return answered ?? (isLaunching(lock, clock) ? undefined : 'none');
  });
  if (!client || client === 'none') return undefined;
  try {
    return { lock, runFolder, client, plan: readFoundPlan(runFolder) };
  } catch (error) {
    client.close();
    return absentOn('ENOENT')(error); // the run folder was removed, so the environment goes down
  }
}

/** Claims the folder for a new run and clears what a crash left; a running environment is an error. */
export async function claimFolder(folder: string, run: string, host: Host): Promise<void> {
  const { clock } = host;
  const mine: UpLock = { run, holder: openProcessTable().identify(process.pid), bootId: bootId(clock) };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (takeUpLock(folder, mine)) return;
    const lock = readUpLock(folder);
    const client = lock && (await connectKeeper(runFolderOf(folder, lock.run), clock));
    client?.close();
    if (lock && (client || isLaunching(lock, clock))) throw alreadyUp(folder, lock);
    await clearStaleLock(folder, host);
  }
  throw alreadyUp(folder, readUpLock(folder));
}

/** No keeper answers for the lock: sweeps what its run left, wherever its temporary folder is, and removes the lock. */
export async function clearStaleLock(folder: string, host: Host): Promise<readonly string[]> {
  const lock = readUpLock(folder);
  if (!lock) {
    removeUpLock(folder);
    return [];
  }
  const runFolder = runFolderOf(folder, lock.run);
  if (livesElsewhere(runFolder, host.clock)) throw upElsewhere(folder, lock);
  const { sweepFound } = await import('./leftovers.ts'); // a crash is rare
  const left = existsSync(path.join(runFolder, 'plan.json')) ? await sweepFound(host, runFolder) : [];
  releaseUpLock(folder, lock.run);
  return left;
}

/** Whether a keeper on another machine that shares this folder still touches its socket. */
function livesElsewhere(runFolder: string, clock: Clock): boolean {
  const touched = lstatSync(path.join(runFolder, socketName), { throwIfNoEntry: false });
  if (!touched || clock.now() - touched.mtimeMs > limits.ledgerSilentMs) return false;
  const machine = machineOf(runFolder);
  return machine !== undefined && machine !== placeHere().machine;
}

function machineOf(runFolder: string): string | undefined {
  try {
    return readFoundPlan(runFolder, 'anywhere').place?.machine;
  } catch {
    return undefined; // reported by the sweep
  }
}

/** The process that took the lock is alive, and its keeper does not answer yet. */
function isLaunching(lock: UpLock, clock: Clock): boolean {
  return (
    lock.holder !== undefined && lock.bootId === bootId(clock) && openProcessTable().isAlive(lock.holder)
  );
}

export function notUp(folder: string): Problem {
  return new Problem({
    code: 'usage.not-up',
    where: folder,
    what: 'no environment is up here',
    allowed: 'a folder in which `shakedown up` runs, or `shakedown up --detach` was called',
    next: 'start one: shakedown up --detach',
  });
}

function upElsewhere(folder: string, lock: UpLock): Problem {
  const what = `an environment is up here, on another machine that shares this folder: run ${lock.run}`;
  const next = 'end it there: shakedown down; if that machine crashed, the folder is free after two minutes';
  return occupied(folder, what, next);
}

function alreadyUp(folder: string, lock: UpLock | undefined): Problem {
  const what = `an environment is already up here: run ${lock?.run ?? 'unknown'}`;
  return occupied(folder, what, 'look at it with `shakedown status`, or end it with `shakedown down`');
}

function occupied(where: string, what: string, next: string): Problem {
  const allowed = 'one `shakedown up` per folder';
  return new Problem({ code: 'usage.already-up', where, what, allowed, next });
}
