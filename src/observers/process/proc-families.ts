/** Asks `/proc` of Linux about processes. */
import { readdirSync, readFileSync } from 'node:fs';
import { cutMark } from '../../kernel/cut-mark.ts';
import { orElse } from '../../kernel/or-else.ts';
import { observerLimits } from '../observer-limits.ts';
import { descendants, type ProcessFamilies } from './process-family.ts';

export function procFamilies(root = '/proc'): ProcessFamilies {
  return {
    of: async (pid) => {
      const rss = residentBytes(root, pid);
      if (rss === undefined) return undefined;
      const younger = familyOf(root, pid);
      return {
        rss: younger.reduce((sum, child) => sum + (residentBytes(root, child) ?? 0), rss),
        fds: countDescriptors(root, pid),
        pids: younger,
        children: younger
          .slice(0, observerLimits.children)
          .map((child) => ({ pid: child, argv: argvOf(root, child) })),
      };
    },
  };
}

/** What has ended, a zombie too, has no memory any more. */
function residentBytes(root: string, pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readIfThere(`${root}/${pid}/status`))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

interface Kin {
  readonly parent: number;
  readonly session: number;
}

/** Also what outlived the process between (`sh -c 'server &'`): another process is its parent now, but it has the session, or the folders of the service. */
function familyOf(root: string, pid: number): readonly number[] {
  const all = processesIn(root);
  const parents = new Map([...all].map(([child, { parent }]) => [child, parent]));
  const leads = all.get(pid)?.session === pid;
  const folders = ownFolderIn(root, pid);
  const left = [...all].flatMap(([other, { session }]) =>
    other !== pid &&
    ((leads && session === pid) || (folders !== undefined && ownFolderIn(root, other) === folders))
      ? [other]
      : [],
  );
  const found = new Set([pid, ...left].flatMap((one) => [one, ...descendants(parents, one)]));
  found.delete(pid);
  return [...found].sort((a, b) => a - b);
}

function processesIn(root: string): ReadonlyMap<number, Kin> {
  const pids = readdirSync(root).filter((name) => /^\d+$/.test(name));
  return new Map(
    pids.flatMap((pid) => {
      const stat = readIfThere(`${root}/${pid}/stat`);
      // The command's name is in brackets, and may itself contain blanks and brackets.
      const [state, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return stat === '' || state === 'Z'
        ? []
        : [[Number(pid), { parent: Number(parent), session: Number(session) }] as const];
    }),
  );
}

/** The temporary folder that belongs to one service of one environment alone; undefined if the config says another. */
function ownFolderIn(root: string, pid: number): string | undefined {
  const variables = readIfThere(`${root}/${pid}/environ`).split('\0');
  const textOf = (name: string): string | undefined =>
    variables.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  const [label, folder] = [textOf('SHAKEDOWN_ENVIRONMENT'), textOf('TMPDIR')];
  return label !== undefined && folder?.includes(`/shakedown-${label}/`) ? folder : undefined;
}

/** Null for a process of another user, or one that has just ended. */
function countDescriptors(root: string, pid: number): number | null {
  return orElse(() => readdirSync(`${root}/${pid}/fd`).length, null);
}

function argvOf(root: string, pid: number): readonly string[] {
  const whole = readIfThere(`${root}/${pid}/cmdline`).replace(/\0$/, '');
  if (whole === '') return [];
  const { argvBytes } = observerLimits;
  const text = whole.length > argvBytes ? `${whole.slice(0, argvBytes)}${cutMark}` : whole;
  return text.split('\0');
}

/** A process may end between two looks: then it has nothing to say. */
function readIfThere(file: string): string {
  return orElse(() => readFileSync(file, 'utf8'), '');
}
