/** Node gives a child without its streams when no file can be opened any more, and tells the error later: here it is told at once. */
import type { ChildProcess } from 'node:child_process';

export function withStreams<Child extends ChildProcess>(child: Child): Child {
  if ((child as { stdio?: unknown }).stdio !== undefined) return child;
  child.on('error', () => 'thrown here');
  const error = new Error(`spawn ${child.spawnfile} EMFILE: too many open files`);
  throw Object.assign(error, { code: 'EMFILE' });
}
