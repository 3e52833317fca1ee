/** What a project left on the machine, found without code of the product: processes, folders, mounts, shared memory. */
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';

export interface LeftProcess {
  readonly pid: number;
  readonly commandLine: string;
}

export interface Leftovers {
  readonly processes: readonly LeftProcess[];
  readonly folders: readonly string[];
  /** Mount points below the project. */
  readonly mounts: readonly string[];
  /** Unused segments that processes of the project created, and their files in /dev/shm. */
  readonly memory: readonly string[];
}

/**
 * A process belongs to the project when its variables name the project, its working folder is in it, or it holds a file
 * of it.
 */
export function leftovers(projectBase: string, tmp: string): Leftovers {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => !isZombie(pid) && belongs(pid, projectBase))
    .map((pid) => ({
      pid: Number(pid),
      commandLine: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200),
    }));
  return {
    processes,
    folders: readdirSync(tmp).filter((name) => name.startsWith('shakedown-')),
    mounts: read('/proc/self/mountinfo')
      .split('\n')
      .map((line) => line.split(' ')[4] ?? '')
      .filter((place) => place.startsWith(`${projectBase}/`)),
    memory: leftMemory(startedBy(projectBase), statSync(projectBase).birthtimeMs),
  };
}

/** Objects with the pid of their creator: SysV segments in the kernel's list, files by their name. Pids are reused. */
function leftMemory(pids: ReadonlySet<string>, since: number): readonly string[] {
  const [, ...rows] = read('/proc/sysvipc/shm').trim().split('\n');
  const segments = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , , maker = '', , users]) => users === '0' && pids.has(maker))
    .filter((fields) => (Number(fields[13]) + 1) * 1_000 > since)
    .map(([, id]) => `segment ${id}`);
  const files = existsSync('/dev/shm') ? readdirSync('/dev/shm') : [];
  return [...segments, ...files.filter((name) => pids.has(/\d+$/.exec(name)?.[0] ?? ''))];
}

/** The pids of all processes in the journals of the project. */
function startedBy(projectBase: string): ReadonlySet<string> {
  const runs = path.join(projectBase, 'project/.shakedown/runs');
  if (!existsSync(runs)) return new Set();
  const journals = readdirSync(runs, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?:^[^/]+|environments\/\d+)\/events\.ndjson$/.test(name),
  );
  const texts = journals.map((name) => read(path.join(runs, name)));
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/"type":"node\.started".*?"pid":(\d+)/g)].map(([, pid]) => pid as string),
    ),
  );
}

function isZombie(pid: string): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' || stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}

function belongs(pid: string, projectBase: string): boolean {
  if (read(`/proc/${pid}/environ`).includes(`SHAKEDOWN_TEST_PROJECT=${projectBase}\0`)) return true;
  const links = ['cwd', 'fd/0', 'fd/1', 'fd/2'].map((name) => link(`/proc/${pid}/${name}`));
  return links.some((target) => target.startsWith(projectBase));
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return ''; // the process ended during the check
  }
}

function link(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
