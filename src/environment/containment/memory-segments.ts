/** Shared memory, semaphores and queues of an environment's processes, which outlive them until they are removed. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { orElse } from '../../kernel/or-else.ts';
import type { Plan } from '../plan.ts';
import { type LedgerEntry, ownersIn, processesIn } from './ledger.ts';
import {
  isAnythingShared,
  removeSharedFiles,
  type SharedLeft,
  type SharedUse,
  sharedUseOf,
} from './memory-files.ts';
import { openProcessTable, readIfThere } from './process-table.ts';

/** The use of shared memory by the environment's processes. */
export interface MemoryUse {
  readonly pids: readonly number[];
  readonly files: SharedUse;
}

/** Call this while the processes are alive. */
export function memoryUseOf(processes: ReadonlyArray<{ readonly pid: number }>): MemoryUse {
  const pids = processes.map(({ pid }) => pid);
  return { pids, files: sharedUseOf(pids) };
}

/** For a group that is about to be ended; none when nothing is shared on the whole machine, which is cheap to check. */
export function lastUseOf(group: number): readonly SharedUse[] {
  return lastUseBy(() => openProcessTable().membersOf(group));
}

/** The same for processes that are found by other means. */
export function lastUseBy(pids: () => readonly number[]): readonly SharedUse[] {
  const use = isAnythingShared() ? sharedUseOf(pids()) : undefined;
  return use && use.entries.size > 0 ? [use] : [];
}

/** Adds processes that were started during the teardown, and what ended processes had in use. */
export function withMore(
  { pids, files: seen }: MemoryUse,
  more: readonly number[],
  last: readonly SharedUse[] = [],
): MemoryUse {
  const all = [seen, ...last];
  const files = new Map(all.flatMap((one) => [...one.files]).sort(([, a], [, b]) => Number(a) - Number(b)));
  const entries = new Set(all.flatMap((one) => [...one.entries]));
  return { pids: [...pids, ...more], files: { files, entries } };
}

/** The point of view. */
interface View {
  /**
   * The /proc of the whole machine: then objects that none of its processes used are judged by their owner. Not set
   * long after a crash.
   */
  readonly outside?: string;
  /** This process is inside the environment's own namespaces. */
  readonly isInside: boolean;
}

/** Removes what the environment created; returns what stays. */
export function removeSharedMemory(
  plan: Plan,
  entries: readonly LedgerEntry[],
  use: MemoryUse,
  { outside, isInside }: View,
): SharedLeft {
  const own = process.geteuid?.() ?? -1;
  const owners = [own, ...ownersIn(entries)];
  const since = Date.parse(plan.startedAt);
  const isShared = (uid: number): boolean =>
    entries.some((entry) => entry.entry === 'intent' && entry.uid === uid && !entry.became);
  const isAlone = (uid: number): boolean =>
    outside !== undefined && !isShared(uid) && isNobodyHere(uid, outside);
  const inUse = (): SharedUse => sharedUseOf(pidsIn(outside ?? '/proc'), outside);
  const used = { ...use.files, files: new Map([...use.files.files, ...handedIn(entries)]) };
  const isShut = isInside && own !== 0; // root creates no user namespace
  const { left, handed } = removeSharedFiles({ owners, since, used, inUse, isAlone, isShut });
  // A namespace has its own objects, which vanish with it.
  if (plan.containment === 'namespace') return { left, handed };
  const makers = new Set([...processesIn(entries).map(({ pid }) => pid), ...use.pids]);
  const made = objects().filter(
    ({ uid, changedAt }) => owners.includes(uid) && changedAt >= Math.floor(since / 1_000) * 1_000,
  ); // the kernel reports seconds
  const stays = made.flatMap(({ kind, id, uid, users }) => {
    const isOurs = users.length > 0 && users.every((pid) => makers.has(pid));
    const isNobodys = !users.some((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false }));
    if (!isOurs && !users.some((pid) => makers.has(pid)) && !(isNobodys && isAlone(uid))) return [];
    const remove = ['ipcrm', kind.option, id] as const;
    if (isOurs && spawnSync(remove[0], remove.slice(1), { stdio: 'ignore', timeout: 5_000 }).status === 0)
      return [];
    return [`${kind.name} ${id}; remove it: ${remove.join(' ')}`];
  });
  return { left: [...left, ...stays], handed };
}

/** Recorded by a keeper that could not see other users of the memory. */
function handedIn(entries: readonly LedgerEntry[]): SharedLeft['handed'] {
  return entries.flatMap((entry) =>
    entry.entry === 'memory' ? [[BigInt(entry.inode), entry.writes] as const] : [],
  );
}

/** No process of this user is left: what it created during our time came from our services. */
function isNobodyHere(uid: number, root: string): boolean {
  const table = openProcessTable(process.platform, root);
  const isThis = (pid: number): boolean =>
    statSync(`${root}/${pid}`, { throwIfNoEntry: false })?.uid === uid && table.identify(pid) !== undefined;
  return !pidsIn(root).some(isThis);
}

/** None where it is not Linux. */
function pidsIn(root: string): readonly number[] {
  return orElse(() => readdirSync(root), [])
    .map(Number)
    .filter(Number.isInteger);
}

/** Columns of the kernel's lists. For a segment they have the creator; for the others, the last user. */
const kinds = [
  { list: 'shm', name: 'shared memory segment', option: '-m', users: [4], uid: 7, changedAt: 13 },
  { list: 'sem', name: 'semaphores', option: '-s', users: [], uid: 4, changedAt: 9 },
  { list: 'msg', name: 'message queue', option: '-q', users: [5, 6], uid: 7, changedAt: 13 },
] as const;

interface SystemVObject {
  readonly kind: (typeof kinds)[number];
  readonly id: string;
  readonly uid: number;
  readonly changedAt: number;
  readonly users: readonly number[];
}

function objects(): readonly SystemVObject[] {
  return kinds.flatMap((kind) => {
    const [, ...rows] = readIfThere(`/proc/sysvipc/${kind.list}`).trim().split('\n');
    return rows.map((row) => {
      const fields = row.trim().split(/\s+/);
      const id = fields[1] ?? '';
      const users = kind.list === 'sem' ? lastUsers(id) : kind.users.map((column) => Number(fields[column]));
      const changedAt = Number(fields[kind.changedAt]) * 1_000;
      return { kind, id, uid: Number(fields[kind.uid]), changedAt, users: users.filter((pid) => pid > 0) };
    });
  });
}

/** Only `ipcs` reports them: `semnum value ncount zcount pid`. */
function lastUsers(id: string): readonly number[] {
  const { stdout } = spawnSync('ipcs', ['-s', '-i', id], { encoding: 'utf8', timeout: 5_000 });
  return [...(stdout ?? '').matchAll(/^\d+\s+\d+\s+\d+\s+\d+\s+(\d+)\s*$/gm)].map(([, pid]) => Number(pid));
}
