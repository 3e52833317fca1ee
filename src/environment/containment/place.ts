/** Names the machine and the PID namespace in which process numbers mean something. */
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface Place {
  readonly host: string;
  /** Empty where there are no namespaces. */
  readonly namespace: string;
}

export function placeHere(): Place {
  return { host: hostname(), namespace: namespaceHere() };
}

function namespaceHere(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return ''; // not Linux
  }
}
