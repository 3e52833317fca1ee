/** Names the machine and the PID namespace in which process numbers mean something. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface Place {
  readonly machine: string;
  /** Of process numbers, and of the time by which starts are told. */
  readonly namespace: string;
}

export function placeHere(): Place {
  return {
    // A name may change; many containers have nothing else.
    machine: textOf(() => readFileSync('/etc/machine-id', 'latin1').trim()) || hostname(),
    namespace: ['pid', 'time'].map((kind) => textOf(() => readlinkSync(`/proc/self/ns/${kind}`))).join(' '),
  };
}

function textOf(look: () => string): string {
  try {
    return look();
  } catch {
    return ''; // not Linux, or an old one
  }
}
