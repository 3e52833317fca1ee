/** Shared memory that an environment's processes made: it outlives them unless somebody removes it. */
import { spawnSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { removeFile } from '../../kernel/folders/entries-below.ts';
import { problemsIn } from '../../kernel/problem.ts';
import type { Plan } from '../plan.ts';
import { type LedgerEntry, ownersIn, processesIn } from './ledger.ts';

/** Files in /dev/shm that the processes have in use; to be asked while they live. */
export function sharedFilesOf(processes: ReadonlyArray<{ readonly pid: number }>): readonly string[] {
  const maps = processes.map(({ pid }) => readIfThere(`/proc/${pid}/maps`)).join('');
  return [...new Set([...maps.matchAll(/ (\/dev\/shm\/.+)$/gm)].map(([, file]) => file as string))];
}

/** Removes what was made since the environment began, by it and for it; gives what stays. */
export function removeSharedMemory(
  plan: Plan,
  entries: readonly LedgerEntry[],
  files: readonly string[],
): readonly string[] {
  const owners = [process.geteuid?.() ?? -1, ...ownersIn(entries)];
  const since = Math.floor(Date.parse(plan.startedAt) / 1_000);
  const isOurs = (uid: number, bornAt: number): boolean => owners.includes(uid) && bornAt >= since;
  const left = files.flatMap((file) => {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats || !isOurs(stats.uid, (stats.birthtimeMs || stats.ctimeMs) / 1_000)) return [];
    try {
      removeFile(file);
      return [];
    } catch (error) {
      return [`shared memory ${file}: ${problemsIn(error)[0]?.what}`];
    }
  });
  // In a namespace the segments are its own, and go with it.
  if (plan.containment === 'namespace') return left;
  const makers = new Set(processesIn(entries).map(({ pid }) => pid));
  const ours = (): readonly string[] =>
    segments()
      .filter(({ maker, uid, changedAt }) => makers.has(maker) && isOurs(uid, changedAt))
      .map(({ id }) => id);
  for (const id of ours()) spawnSync('ipcrm', ['-m', id], { stdio: 'ignore', timeout: 5_000 });
  return [...left, ...ours().map((id) => `shared memory segment ${id}; remove it: ipcrm -m ${id}`)];
}

interface Segment {
  readonly id: string;
  readonly maker: number;
  readonly uid: number;
  /** In seconds. */
  readonly changedAt: number;
}

function segments(): readonly Segment[] {
  const [, ...rows] = readIfThere('/proc/sysvipc/shm').trim().split('\n');
  return rows.map((row) => {
    const fields = row.trim().split(/\s+/);
    const [id = '', maker, uid, changedAt] = [1, 4, 7, 13].map((column) => fields[column]);
    return { id, maker: Number(maker), uid: Number(uid), changedAt: Number(changedAt) };
  });
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // not Linux, or it ended while we looked
  }
}
