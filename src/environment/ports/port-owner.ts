/** Which process listens on a port, where the machine permits to see it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { cutText } from '../../kernel/cut-text.ts';
import { openProcessTable } from '../containment/process-table.ts';

export interface PortOwner {
  readonly pid: number;
  readonly commandLine: string;
}

export function portOwner(port: number, procRoot = '/proc'): PortOwner | undefined {
  if (process.platform !== 'linux') return undefined;
  const inodes = new Set(listeningRows().flatMap((row) => (row.port === port ? [row.inode] : [])));
  const pid = inodes.size === 0 ? undefined : holderOf(inodes, procRoot);
  return pid === undefined
    ? undefined
    : { pid, commandLine: cutText(openProcessTable('linux', procRoot).commandLine(pid), 120) };
}

/** The ports on which a process listens. */
export function portsOf(pid: number, procRoot = '/proc'): readonly number[] {
  if (process.platform !== 'linux') return [];
  const own = new Set(
    orNothing(() => readdirSync(`${procRoot}/${pid}/fd`), []).map((fd) =>
      orNothing(() => readlinkSync(`${procRoot}/${pid}/fd/${fd}`), ''),
    ),
  );
  const ports = listeningRows()
    .filter(({ inode }) => own.has(inode))
    .map(({ port }) => port);
  return [...new Set(ports)];
}

/** `/proc/net` shows our own network namespace, which is the one that matters. */
function listeningRows(): Array<{ port: number; inode: string }> {
  return ['tcp', 'tcp6']
    .flatMap((table) => orNothing(() => readFileSync(`/proc/self/net/${table}`, 'utf8'), '').split('\n'))
    .map((row) => row.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A')
    .map((fields) => ({
      port: Number.parseInt(fields[1]?.split(':')[1] ?? '', 16),
      inode: `socket:[${fields[9]}]`,
    }));
}

function holderOf(inodes: ReadonlySet<string>, procRoot: string): number | undefined {
  return readdirSync(procRoot)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) =>
      orNothing(() => readdirSync(`${procRoot}/${pid}/fd`), []).some((fd) =>
        inodes.has(orNothing(() => readlinkSync(`${procRoot}/${pid}/fd/${fd}`), '')),
      ),
    );
}

/** Processes end, and some belong to other users: unreadable ones are skipped. */
function orNothing<T>(look: () => T, nothing: T): T {
  try {
    return look();
  } catch {
    return nothing;
  }
}
