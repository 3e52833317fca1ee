/** What a project left on the machine, looked up without any help of the product: processes by what they hold, folders by name. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface LeftProcess {
  readonly pid: number;
  readonly commandLine: string;
}

export interface Leftovers {
  readonly processes: readonly LeftProcess[];
  readonly folders: readonly string[];
}

/** A process belongs to the project when its variables name the project, or when it stands in it or holds a file of it. */
export function leftovers(projectBase: string, tmp: string): Leftovers {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => !isZombie(pid) && belongs(pid, projectBase))
    .map((pid) => ({
      pid: Number(pid),
      commandLine: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200),
    }));
  return { processes, folders: readdirSync(tmp).filter((name) => name.startsWith('shakedown-')) };
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
    return ''; // the process ended while we looked
  }
}

function link(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
