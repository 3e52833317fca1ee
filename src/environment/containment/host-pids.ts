/** Inside a PID namespace a process has two numbers; people and tools outside know the outer one. */
import { readdirSync, readlinkSync } from 'node:fs';
import { readIfThere } from './process-table.ts';

export interface HostPids {
  /** Where the outside world's /proc can be read; undefined when we are not in a namespace of our own. */
  readonly outerProc: string | undefined;
  /** Our own number, outside. */
  readonly self: number;
  /** The outer number of a child of ours. */
  outerOf(pid: number): number;
}

/** The guard opened the outer /proc under this descriptor before it entered the namespace. */
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

/** The last number of `NSpid` is the one that the process has in its own namespace. */
function innermost(outerProc: string, outer: number): number | undefined {
  const inner = /^NSpid:.*\s(\d+)$/m.exec(readIfThere(`${outerProc}/${outer}/status`))?.[1];
  return inner === undefined ? undefined : Number(inner);
}
