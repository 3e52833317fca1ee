/** Identifies the machine and the PID namespace in which pids are valid. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { orElse } from '../../kernel/or-else.ts';

export interface Place {
  readonly machine: string;
  /** Of pids, and of the clock for start times. */
  readonly namespace: string;
}

export function placeHere(): Place {
  // Empty where it is not Linux, or an old kernel.
  const namespaces = ['pid', 'time'].map((kind) => orElse(() => readlinkSync(`/proc/self/ns/${kind}`), ''));
  // A host name may change, but many containers have nothing else.
  const machine = orElse(() => readFileSync('/etc/machine-id', 'latin1').trim(), '') || hostname();
  return { machine, namespace: namespaces.join(' ') };
}
