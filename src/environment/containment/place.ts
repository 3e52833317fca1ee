/** Identifies the machine and the PID namespace in which pids are valid. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface Place {
  readonly machine: string;
  /** Of pids, and of the clock for start times. */
  readonly namespace: string;
}

export function placeHere(): Place {
  return {
    // A host name may change, but many containers have nothing else.
    machine: textOf(() => readFileSync('/etc/machine-id', 'latin1').trim()) || hostname(),
    namespace: ['pid', 'time'].map((kind) => textOf(() => readlinkSync(`/proc/self/ns/${kind}`))).join(' '),
  };
}

function textOf(look: () => string): string {
  try {
    return look();
  } catch {
    return ''; // not Linux, or an old kernel
  }
}
