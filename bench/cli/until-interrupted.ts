/** Makes Ctrl-C an orderly end: what is being measured ends by it and fails, and everything is taken away on the way out. */
import type { Contestant } from '../side-by-side.ts';

/** The contestants, none of which starts any more after Ctrl-C. */
export function untilInterrupted(contestants: readonly Contestant[]): readonly Contestant[] {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  return contestants.map(({ name, measure }) => ({
    name,
    measure: () => {
      interrupted.signal.throwIfAborted();
      return measure();
    },
  }));
}
