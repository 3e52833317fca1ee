/** Files in /dev/shm: which of them are in use, and which of them are removed with an environment. */
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { removeFileIn } from '../../kernel/folders/entries-below.ts';
import { holdFolder } from '../../kernel/folders/held-folder.ts';
import { orElse } from '../../kernel/or-else.ts';
import { problemsIn } from '../../kernel/problem.ts';

const place = '/dev/shm';

/**
 * What is in use there: files by inode, with whether a process may write to them, and the top-level entries of these
 * files.
 */
export interface SharedUse {
  readonly files: ReadonlyMap<bigint, boolean>;
  readonly entries: ReadonlySet<string>;
}

const noUse: SharedUse = { files: new Map(), entries: new Set() };

export function isAnythingShared(): boolean {
  return orElse(() => readdirSync(place), []).length > 0;
}

/** Call this while the processes are alive. */
export function sharedUseOf(pids: readonly number[], root = '/proc'): SharedUse {
  const device = statSync(place, { bigint: true, throwIfNoEntry: false })?.dev;
  if (device === undefined) return noUse;
  const files = new Map<bigint, boolean>();
  const entries = new Set<string>();
  const note = (file: string, inode: bigint, writes: boolean): void => {
    if (!file.startsWith(`${place}/`)) return;
    files.set(inode, writes || files.get(inode) === true);
    entries.add(file.split('/')[3] as string);
  };
  // A process may end, or change its user, between two reads.
  for (const pid of pids) {
    const maps = orElse(() => readFileSync(`${root}/${pid}/maps`, 'latin1'), '');
    for (const [, access = '', major, minor, inode = '', file = ''] of maps.matchAll(mapped))
      if (deviceOf(`${major}`, `${minor}`) === device)
        note(file.replaceAll('\\012', '\n'), BigInt(inode), access.includes('w') && access.includes('s'));
    const open = orElse(() => readdirSync(`${root}/${pid}/fd`), []).map((name) => `fd/${name}`);
    for (const link of [...open, 'cwd']) {
      const file = orElse(() => readlinkSync(`${root}/${pid}/${link}`, 'latin1'), '');
      if (!file.startsWith(`${place}/`)) continue;
      const stats = orElse(() => statSync(`${root}/${pid}/${link}`, { bigint: true }), undefined);
      const facts = orElse(
        () => readFileSync(`${root}/${pid}/${link.replace('fd', 'fdinfo')}`, 'latin1'),
        '',
      );
      if (stats?.dev === device) note(file, stats.ino, /^flags:\s*\d*[12]$/m.test(facts));
    }
  }
  return { files, entries };
}

/** `7f… rw-s 00000000 00:1b 42   /dev/shm/name`; a newline in the name is written as `\012`. */
const mapped = /^\S+ (\S{4}) \S+ ([\da-f]+):([\da-f]+) (\d+) +(\/dev\/shm\/.+)$/gm;

function deviceOf(major: string, minor: string): bigint {
  const [high, low] = [BigInt(`0x${major}`), BigInt(`0x${minor}`)];
  return ((high & 0xfffn) << 8n) | (low & 0xffn) | ((low & ~0xffn) << 12n);
}

interface SharedMemoryTraces {
  readonly owners: readonly number[];
  readonly since: number;
  /**
   * What processes of the environment had in use, and what is still in use on the whole machine after they have ended.
   */
  readonly used: SharedUse;
  readonly inUse: () => SharedUse;
  /** Whether an unused file must be the environment's because of its owner. */
  readonly isAlone: (uid: number) => boolean;
  /** From inside a user namespace, processes outside cannot be inspected. */
  readonly isShut: boolean;
}

/**
 * What stays, by name; and inodes that must be inspected from outside, with whether one of our processes may have
 * written to them.
 */
export interface SharedLeft {
  readonly left: readonly string[];
  readonly handed: ReadonlyArray<readonly [inode: bigint, writes: boolean]>;
}

/**
 * Removes what certainly belongs to the environment: a plain file directly in /dev/shm, created since it began, by one
 * of its users, which one of its processes could write and no other process uses. Files that other processes use are
 * left alone; files that only its own processes used, and that stay, are reported.
 */
export function removeSharedFiles({
  owners,
  since,
  used,
  inUse: look,
  isAlone,
  isShut,
}: SharedMemoryTraces): SharedLeft {
  const handed: Array<readonly [bigint, boolean]> = [];
  if (!lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) return { left: [], handed };
  const folder = holdFolder(place);
  let inUse: SharedUse | undefined;
  const leftOf = (name: Buffer): readonly string[] => {
    const stats = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
    const bornAt = stats && Number(stats.birthtimeMs || stats.ctimeMs);
    if (!stats || !owners.includes(Number(stats.uid)) || Number(bornAt) < since) return [];
    inUse ??= look();
    if (inUse.files.has(stats.ino) || inUse.entries.has(name.toString('latin1'))) return [];
    const shown = `shared memory ${place}/${name}`;
    const writes = used.files.get(stats.ino);
    const wasUsed = writes !== undefined || used.entries.has(name.toString('latin1'));
    if (isShut) {
      if (wasUsed) handed.push([stats.ino, writes === true]);
      return [];
    }
    if (writes === true && stats.isFile() && stats.birthtimeMs > 0n)
      return reasons(() => removeFileIn(folder, name)).map((reason) => `${shown}: ${reason}`);
    const isDoubtful = wasUsed || isAlone(Number(stats.uid));
    return isDoubtful ? [`${shown}: its creator is uncertain; remove it by hand`] : [];
  };
  try {
    return { left: readdirSync(folder.self(), { encoding: 'buffer' }).flatMap(leftOf), handed };
  } finally {
    folder.close();
  }
}

function reasons(work: () => void): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    return problemsIn(error).map(({ what }) => what);
  }
}
