/** What the machine knows about its processes: alive or not, since when, of which environment, with which words. */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process that cannot be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** An opaque text that differs between two processes that had the same number. */
  readonly startedAt: string;
}

export interface ProcessTable {
  identify(pid: number): ProcessIdentity | undefined;
  isAlive(identity: ProcessIdentity): boolean;
  /** Processes that carry the marker in their environment, stand in the workspace, or write to one of the logs. */
  findMarked(
    marker: string,
    places: { readonly workspace: string; readonly logs: string },
  ): readonly ProcessIdentity[];
  commandLine(pid: number): string;
  parentOf(pid: number): number | undefined;
}

export function openProcessTable(platform: NodeJS.Platform = process.platform, root = '/proc'): ProcessTable {
  return platform === 'linux' ? linuxProcessTable(root) : portableProcessTable();
}

function linuxProcessTable(root: string): ProcessTable {
  const identify = (pid: number): ProcessIdentity | undefined => {
    const fields = statFields(root, pid);
    // A zombie has ended; only its parent has not asked for the exit code yet.
    return fields && fields[0] !== 'Z' && fields[0] !== 'X'
      ? { pid, startedAt: fields[19] as string }
      : undefined;
  };
  return {
    identify,
    isAlive: (identity) => identify(identity.pid)?.startedAt === identity.startedAt,
    findMarked: (marker, places) =>
      allPids(root)
        .filter((pid) => pid !== process.pid && (isMarked(root, pid, marker) || touches(root, pid, places)))
        .flatMap((pid) => identify(pid) ?? []),
    commandLine: (pid) => readIfThere(`${root}/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
    parentOf: (pid) => Number(statFields(root, pid)?.[1]) || undefined,
  };
}

/** The fields of `stat` after the command's name, which may itself hold blanks and brackets. */
function statFields(root: string, pid: number): string[] | undefined {
  const stat = readIfThere(`${root}/${pid}/stat`);
  return stat === '' ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function allPids(root: string): number[] {
  return readdirSync(root)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function isMarked(root: string, pid: number, marker: string): boolean {
  return `\0${readIfThere(`${root}/${pid}/environ`)}\0`.includes(`\0${marker}\0`);
}

/** A daemon that scrubbed its environment still writes to its log, or stands in its folder. Somebody who only looks does neither. */
function touches(
  root: string,
  pid: number,
  { workspace, logs }: { workspace: string; logs: string },
): boolean {
  const isBelow = (link: string, folder: string): boolean =>
    linkIfThere(`${root}/${pid}/${link}`).startsWith(`${folder}/`);
  return isBelow('cwd', workspace) || isBelow('fd/1', logs) || isBelow('fd/2', logs);
}

/** A process may end, or belong to somebody else, between two looks: then it has nothing to say. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function linkIfThere(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

/** For systems without /proc: asks `ps`. */
function portableProcessTable(): ProcessTable {
  const ask = (...args: string[]): string => {
    try {
      return execFileSync('ps', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    } catch {
      return '';
    }
  };
  const identify = (pid: number): ProcessIdentity | undefined => {
    const startedAt = ask('-o', 'lstart=', '-p', String(pid)).trim();
    return startedAt === '' ? undefined : { pid, startedAt };
  };
  return {
    identify,
    isAlive: (identity) => identify(identity.pid)?.startedAt === identity.startedAt,
    findMarked: (marker) =>
      ask('axeww', '-o', 'pid=,command=')
        .split('\n')
        .filter((line) => line.includes(` ${marker}`))
        .map((line) => Number.parseInt(line, 10))
        .filter((pid) => pid !== process.pid)
        .flatMap((pid) => identify(pid) ?? []),
    commandLine: (pid) => ask('-o', 'command=', '-p', String(pid)).trim(),
    parentOf: (pid) => Number(ask('-o', 'ppid=', '-p', String(pid)).trim()) || undefined,
  };
}
