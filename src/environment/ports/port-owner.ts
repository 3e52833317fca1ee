/** Which process listens on a port, where the machine permits to see it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { cutText } from '../../kernel/cut-text.ts';
import { orElse } from '../../kernel/or-else.ts';
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

/** The ports on which a process or one of its group listens: of a reloader, only the child does. */
export function portsOf(pid: number, procRoot = '/proc'): readonly number[] {
  if (process.platform !== 'linux') return [];
  const group = openProcessTable('linux', procRoot).membersOf(pid);
  const own = new Set([pid, ...group].flatMap((one) => openBy(one, procRoot)));
  const ports = listeningRows()
    .filter(({ inode }) => own.has(inode))
    .map(({ port }) => port);
  return [...new Set(ports)];
}

/** `/proc/net` shows our own network namespace, which is the one that matters. A kernel without IPv6 has no such table. */
function listeningRows(): ReadonlyArray<{ address: string; port: number; inode: string }> {
  return ['tcp', 'tcp6']
    .flatMap((table) => orElse(() => readFileSync(`/proc/self/net/${table}`, 'latin1'), '').split('\n'))
    .map((row) => row.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A')
    .map((fields) => {
      const [address = '', port = ''] = (fields[1] ?? '').split(':');
      return { address, port: Number.parseInt(port, 16), inode: `socket:[${fields[9]}]` };
    });
}

function holderOf(inodes: ReadonlySet<string>, procRoot: string): number | undefined {
  return readdirSync(procRoot)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => openBy(pid, procRoot).some((target) => inodes.has(target)));
}

/** Processes end, and some belong to other users: unreadable ones are skipped. */
function openBy(pid: number, procRoot: string): readonly string[] {
  const folder = `${procRoot}/${pid}/fd`;
  return orElse(() => readdirSync(folder), []).map((fd) => orElse(() => readlinkSync(`${folder}/${fd}`), ''));
}

const loopbackV6 = '00000000000000000000000001000000';

/** Over IPv4 or over IPv6 only, without connecting: undefined when nothing listens yet or the machine does not report it. */
export function listeningHost(port: number): '127.0.0.1' | '::1' | undefined {
  if (process.platform !== 'linux') return undefined;
  const rows = listeningRows().filter((row) => row.port === port);
  if (rows.length === 0) return undefined;
  return rows.every(({ address }) => address === loopbackV6) ? '::1' : '127.0.0.1';
}
