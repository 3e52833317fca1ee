/** Inside a PID namespace a process has two pids; users and tools outside see the outer one. */
import { readdirSync, readlinkSync } from 'node:fs';
import { readIfThere } from './process-table.ts';

export interface HostPids {
  /** Where the outer /proc can be read; undefined when this process is not in its own namespace. */
  readonly outerProc: string | undefined;
  /** The outer pid of this process. */
  readonly self: number;
  /** The outer pid of a child of this process. */
  outerOf(pid: number): number;
}

/** The guard opened the outer /proc as this descriptor before it entered the namespace. */
const outerProcDescriptor = 5;

export function openHostPids(inNamespace: boolean): HostPids {
  if (!inNamespace) return { outerProc: undefined, self: process.pid, outerOf: (pid) => pid };
  const outerProc = `/proc/self/fd/${outerProcDescriptor}`;
  const self = Number(readlinkSync(`${outerProc}/self`));
  return { outerProc, self, outerOf: (pid) => findOuter(outerProc, self, pid) ?? pid };
}

function findOuter(outerProc: string, self: number, innerPid: number): number | undefined {
  return childrenOf(outerProc, self).find((outer) => innermost(outerProc, outer) === innerPid);
}

export function childrenOf(outerProc: string, pid: number): number[] {
  return readdirSync(`${outerProc}/${pid}/task`).flatMap((task) =>
    readIfThere(`${outerProc}/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/** The last number of `NSpid` is the pid in the process's own namespace. */
function innermost(outerProc: string, outer: number): number | undefined {
  const inner = /^NSpid:.*\s(\d+)$/m.exec(readIfThere(`${outerProc}/${outer}/status`))?.[1];
  return inner === undefined ? undefined : Number(inner);
}
