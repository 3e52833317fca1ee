/** Without free descriptors Node returns a child without streams and emits the error later: this throws it at once. */
import type { ChildProcess } from 'node:child_process';

export function withStreams<Child extends ChildProcess>(child: Child): Child {
  if ((child as { stdio?: unknown }).stdio !== undefined) return child;
  child.on('error', () => 'thrown here');
  const error = new Error(`spawn ${child.spawnfile} EMFILE: too many open files`);
  throw Object.assign(error, { code: 'EMFILE' });
}
