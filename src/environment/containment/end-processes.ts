/** Ends processes for good: frozen first, so that none can fork away, then killed, until none is left. */
import { statSync } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor } from '../../kernel/deadline.ts';
import { errorCode } from '../../kernel/system-error.ts';
import type { ProcessIdentity, ProcessTable } from './process-table.ts';

/** Gives those that are still there when time is up. `find` is asked again after each round, until it finds nobody. */
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
    // Whoever ended by itself may have started another one. Waiting helps nothing against those that are not ours to end.
    return unite(left, found).every(({ pid }) => refused.has(pid)) ? true : undefined;
  });
  // The last look may have been long ago, and whom it found was killed since.
  return left.length > 0 ? left : find();
}

/** For people: its number, whose it is where it is not ours to end, and its command line. */
export function nameLeft(table: ProcessTable, { pid }: ProcessIdentity): string {
  const uid = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
  const whose = uid === undefined || uid === process.geteuid?.() ? '' : ` of user ${uid}`;
  return `process ${pid}${whose}: ${table.commandLine(pid)}`;
}

/**
 * Signals a process or, with a negative number, a group. False for one that has ended already; `refused` for one that
 * belongs to somebody else. 0 only asks.
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
