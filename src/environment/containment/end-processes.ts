/** Kills processes: stops them first, so that none can fork, then kills them, until none is left. */
import { statSync } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor } from '../../kernel/deadline.ts';
import { errorCode } from '../../kernel/system-error.ts';
import type { ProcessIdentity, ProcessTable } from './process-table.ts';

/** Returns those that still exist when time is up. Calls `find` after each round until it finds none. */
export async function endProcesses(
  table: ProcessTable,
  clock: Clock,
  withinMs: number,
  find: () => readonly ProcessIdentity[],
): Promise<readonly ProcessIdentity[]> {
  let left = find();
  let found = left;
  const refused = new Set<number>();
  await waitFor(clock, { withinMs, firstMs: 5, mostMs: 50 }, () => {
    for (const { pid } of left) signalIfThere(pid, 'SIGSTOP');
    found = find();
    left = unite(left, found).filter((process) => table.isAlive(process));
    for (const { pid } of left) if (signalIfThere(pid, 'SIGKILL') === 'refused') refused.add(pid);
    left = left.filter((process) => table.isAlive(process));
    // A process that ended by itself may have started another. Waiting does not help against processes we may not
    // signal.
    return unite(left, found).every(({ pid }) => refused.has(pid)) ? true : undefined;
  });
  // The processes of the last search may have been killed since.
  return left.length > 0 ? left : find();
}

/** For display: the pid, the owner when it is another user, and the command line. */
export function nameLeft(table: ProcessTable, { pid }: ProcessIdentity): string {
  const uid = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
  const whose = uid === undefined || uid === process.geteuid?.() ? '' : ` of user ${uid}`;
  return `process ${pid}${whose}: ${table.commandLine(pid)}`;
}

/**
 * Signals a process or, with a negative number, a group. False when it has already ended; `refused` when it belongs to
 * another user. Signal 0 only checks.
 */
export function signalIfThere(pid: number, signal: NodeJS.Signals | 0): boolean | 'refused' {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
    if (errorCode(error) === 'EPERM') return 'refused';
    throw error;
  }
}

function unite(a: readonly ProcessIdentity[], b: readonly ProcessIdentity[]): ProcessIdentity[] {
  return [
    ...new Map([...a, ...b].map((process) => [`${process.pid} ${process.startedAt}`, process])).values(),
  ];
}
