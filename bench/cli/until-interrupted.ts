/** Makes Ctrl-C an orderly end: what is under way ends by it and fails, and everything is taken away on the way out. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Contestant } from '../side-by-side.ts';

/** From now on. What it gives makes contestants of which none starts any more after Ctrl-C. */
export function untilInterrupted(): (contestants: readonly Contestant[]) => readonly Contestant[] {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => interrupted.abort(new Error(`interrupted by ${signal}`)));
  }
  const careful = ({ name, measure }: Contestant): Contestant => ({
    name,
    measure: async () => {
      await nextTurn(); // a signal is heard between two turns only
      interrupted.signal.throwIfAborted();
      return measure();
    },
  });
  return (contestants) => contestants.map(careful);
}
