/** Queries the processes of the machine: liveness, start time, environment and command line. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { orElse } from '../../kernel/or-else.ts';

/** A process that cannot be mistaken for a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** An opaque text that differs between two processes with the same pid. */
  readonly startedAt: string;
}

/** Marks by which a process is attributed to an environment. */
export interface Marks {
  /** `NAME=value` in its environment. */
  readonly variables: readonly string[];
  /** Its working folder is below one of these folders. */
  readonly folders: readonly string[];
  /** It writes to one of these files, or to a file below one of these folders. */
  readonly outputs: readonly string[];
}

export interface ProcessTable {
  identify(pid: number): ProcessIdentity | undefined;
  isAlive(identity: ProcessIdentity): boolean;
  /** Alive, and stopped by `SIGSTOP` or a debugger. */
  isStopped(identity: ProcessIdentity): boolean;
  /**
   * Those of `known` that are alive, processes with one of the marks, and their descendants. Without /proc, only
   * variables are visible.
   */
  findMarked(marks: Marks, known?: readonly ProcessIdentity[]): readonly ProcessIdentity[];
  commandLine(pid: number): string;
  parentOf(pid: number): number | undefined;
  /** The members of a process group; empty without /proc. */
  membersOf(group: number): readonly number[];
}

export function openProcessTable(platform: NodeJS.Platform = process.platform, root = '/proc'): ProcessTable {
  return platform === 'linux' ? linuxProcessTable(root) : portableProcessTable();
}

function linuxProcessTable(root: string): ProcessTable {
  const identify = (pid: number): ProcessIdentity | undefined => {
    const fields = statFields(root, pid);
    // A zombie has ended; its parent has not reaped it yet.
    return fields && fields[0] !== 'Z' && fields[0] !== 'X'
      ? { pid, startedAt: fields[19] as string }
      : undefined;
  };
  const isAlive = (identity: ProcessIdentity): boolean =>
    identify(identity.pid)?.startedAt === identity.startedAt;
  const parentOf = (pid: number): number | undefined => Number(statFields(root, pid)?.[1]) || undefined;
  return {
    identify,
    isAlive,
    isStopped: ({ pid, startedAt }) => {
      const fields = statFields(root, pid);
      return fields?.[19] === startedAt && /^t$/i.test(fields[0] ?? '');
    },
    findMarked: (marks, known = []) => {
      const others = allPids(root).filter((pid) => pid !== process.pid);
      const marked = others.filter((pid) => isMarked(root, pid, marks) || touches(root, pid, marks));
      const first = [...known.filter(isAlive).map(({ pid }) => pid), ...marked];
      return [...withOffspring(first, others, parentOf)].flatMap((pid) => identify(pid) ?? []);
    },
    commandLine: (pid) => readIfThere(`${root}/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
    parentOf,
    membersOf: (group) => allPids(root).filter((pid) => statFields(root, pid)?.[2] === String(group)),
  };
}

/** A process that cleared its variables still has a parent, as long as that is alive. */
function withOffspring(
  first: readonly number[],
  all: readonly number[],
  parentOf: ProcessTable['parentOf'],
): ReadonlySet<number> {
  const found = new Set(first);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const pid of all) if (found.has(parentOf(pid) ?? 0)) found.add(pid);
  }
  return found;
}

/** The fields of `stat` after the command's name, which may contain blanks and brackets. */
function statFields(root: string, pid: number): string[] | undefined {
  const stat = readIfThere(`${root}/${pid}/stat`);
  return stat === '' ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function allPids(root: string): number[] {
  return readdirSync(root)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function isMarked(root: string, pid: number, { variables }: Marks): boolean {
  const environment = `\0${readIfThere(`${root}/${pid}/environ`)}\0`;
  return variables.some((variable) => environment.includes(`\0${variable}\0`));
}

/**
 * A daemon that cleared its environment still writes to its log, which a mere reader does not do, or has its working
 * folder there.
 */
function touches(root: string, pid: number, { folders, outputs }: Marks): boolean {
  const isBelow = (link: string, places: readonly string[]): boolean => {
    const target = orElse(() => readlinkSync(`${root}/${pid}/${link}`), '');
    return places.some((place) => target.startsWith(`${place}/`) || (link !== 'cwd' && target === place));
  };
  return isBelow('cwd', folders) || isBelow('fd/1', outputs) || isBelow('fd/2', outputs);
}

/** A process may end, or change its user, between two reads: then there is nothing to read. */
export function readIfThere(file: string): string {
  return orElse(() => readFileSync(file, 'latin1'), '');
}

/** For systems without /proc: asks `ps`. */
function portableProcessTable(): ProcessTable {
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const ask = (...args: string[]): string => orElse(() => execFileSync('ps', args, options), '');
  const identify = (pid: number): ProcessIdentity | undefined => {
    const startedAt = ask('-o', 'lstart=', '-p', String(pid)).trim();
    return startedAt === '' ? undefined : { pid, startedAt };
  };
  const isAlive = (identity: ProcessIdentity): boolean =>
    identify(identity.pid)?.startedAt === identity.startedAt;
  return {
    identify,
    isAlive,
    isStopped: ({ pid, startedAt }) =>
      identify(pid)?.startedAt === startedAt && ask('-o', 'state=', '-p', String(pid)).trim().startsWith('T'),
    findMarked: ({ variables }, known = []) => {
      const marked = ask('axeww', '-o', 'pid=,command=')
        .split('\n')
        .filter((line) => variables.some((variable) => `${line} `.includes(` ${variable} `)))
        .map((line) => Number.parseInt(line, 10))
        .filter((pid) => pid !== process.pid);
      return [...known.filter(isAlive), ...marked.flatMap((pid) => identify(pid) ?? [])];
    },
    commandLine: (pid) => ask('-o', 'command=', '-p', String(pid)).trim(),
    parentOf: (pid) => Number(ask('-o', 'ppid=', '-p', String(pid)).trim()) || undefined,
    membersOf: () => [],
  };
}
