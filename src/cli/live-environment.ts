/** Finds the environment that is up in a folder. */

import { bootId } from '../environment/containment/boot-id.ts';
import { openProcessTable } from '../environment/containment/process-table.ts';
import { connectKeeper, type KeeperClient } from '../environment/keeper/keeper-client.ts';
import { readUpLock, releaseUpLock, takeUpLock, type UpLock } from '../environment/up-lock.ts';
import type { Clock } from '../kernel/clock.ts';
import { Problem } from '../kernel/problem.ts';

/** The keeper of this folder's environment; undefined when none is up. */
export async function findLive(folder: string): Promise<{ lock: UpLock; client: KeeperClient } | undefined> {
  const lock = readUpLock(folder);
  const client = lock && (await connectKeeper(lock.runFolder));
  return lock && client ? { lock, client } : undefined;
}

/** Takes the folder for a new run, over what a crash left there; a living environment is an error. */
export async function claimFolder(
  folder: string,
  run: string,
  runFolder: string,
  clock: Clock,
): Promise<void> {
  const table = openProcessTable();
  const mine: UpLock = { run, runFolder, holder: table.identify(process.pid), bootId: bootId(clock) };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (takeUpLock(folder, mine)) return;
    const lock = readUpLock(folder);
    const launching = lock?.holder && lock.bootId === mine.bootId && table.isAlive(lock.holder);
    const client = lock && (await connectKeeper(lock.runFolder));
    client?.close();
    if (lock && (client || launching)) throw alreadyUp(folder, lock);
    if (lock) releaseUpLock(folder, lock.run);
  }
  throw alreadyUp(folder, readUpLock(folder));
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

function alreadyUp(folder: string, lock: UpLock | undefined): Problem {
  return new Problem({
    code: 'usage.already-up',
    where: folder,
    what: `an environment is already up here: run ${lock?.run ?? 'unknown'}`,
    allowed: 'one `shakedown up` per folder',
    next: 'look at it with `shakedown status`, or end it with `shakedown down`',
  });
}
