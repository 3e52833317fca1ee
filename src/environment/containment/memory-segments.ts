/** Shared memory, semaphores and queues that an environment's processes made: they outlive them unless somebody removes them. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
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

/** What the environment's processes have to do with shared memory. */
export interface MemoryUse {
  readonly pids: readonly number[];
  readonly files: SharedUse;
}

/** To be asked while they live. */
export function memoryUseOf(processes: ReadonlyArray<{ readonly pid: number }>): MemoryUse {
  const pids = processes.map(({ pid }) => pid);
  return { pids, files: sharedUseOf(pids) };
}

/** Of a group that is about to be ended; none where nothing is shared on the whole machine, which costs nothing to see. */
export function lastUseOf(group: number): readonly SharedUse[] {
  const use = isAnythingShared() ? sharedUseOf(openProcessTable().membersOf(group)) : undefined;
  return use && use.entries.size > 0 ? [use] : [];
}

/** With those that were started while others were being ended, and what others had in use before they were ended. */
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

/** From where it is looked at. */
interface View {
  /** The /proc of the whole machine: then also what none of its processes had to do with goes by its owner. Not long after a crash. */
  readonly outside?: string;
  /** We are inside of the environment's own namespaces. */
  readonly isInside: boolean;
}

/** Removes what was made since the environment began, by it and for it; gives what stays. */
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
  const isShut = isInside && own !== 0; // root makes no user namespace
  const { left, handed } = removeSharedFiles({ owners, since, used, inUse, isAlone, isShut });
  // In a namespace these are its own, and go with it.
  if (plan.containment === 'namespace') return { left, handed };
  const makers = new Set([...processesIn(entries).map(({ pid }) => pid), ...use.pids]);
  const made = objects().filter(
    ({ uid, changedAt }) => owners.includes(uid) && changedAt >= Math.floor(since / 1_000) * 1_000,
  ); // the kernel tells seconds
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

/** As seen by a keeper that could not see who else has it in use. */
function handedIn(entries: readonly LedgerEntry[]): SharedLeft['handed'] {
  return entries.flatMap((entry) =>
    entry.entry === 'memory' ? [[BigInt(entry.inode), entry.writes] as const] : [],
  );
}

/** Nobody is this user any more: what it made in our time, our services made. */
function isNobodyHere(uid: number, root: string): boolean {
  const table = openProcessTable(process.platform, root);
  const isThis = (pid: number): boolean =>
    statSync(`${root}/${pid}`, { throwIfNoEntry: false })?.uid === uid && table.identify(pid) !== undefined;
  return !pidsIn(root).some(isThis);
}

function pidsIn(root: string): readonly number[] {
  try {
    return readdirSync(root).map(Number).filter(Number.isInteger);
  } catch {
    return []; // not Linux
  }
}

/** Columns of the kernel's lists. Whoever made it is known of a segment; of the others, who used it last. */
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

/** Only `ipcs` tells them: `semnum value ncount zcount pid`. */
function lastUsers(id: string): readonly number[] {
  const { stdout } = spawnSync('ipcs', ['-s', '-i', id], { encoding: 'utf8', timeout: 5_000 });
  return [...(stdout ?? '').matchAll(/^\d+\s+\d+\s+\d+\s+\d+\s+(\d+)\s*$/gm)].map(([, pid]) => Number(pid));
}
