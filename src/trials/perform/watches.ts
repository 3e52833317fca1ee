/** The observers of one attempt, each opened once, before the first act. */
import type { ObserverContext, Watch } from '../../observers/observer.ts';
import { loadObserver } from '../kinds/check-table.ts';

export interface Watches {
  /** Opens the observer of this kind; one that compares with "before" has to be opened before the first act. */
  open(kind: string): Promise<Watch<unknown>>;
  close(): Promise<void>;
}

export function createWatches(context: ObserverContext): Watches {
  const opened = new Map<string, Promise<Watch<unknown>>>();
  return {
    open: (kind) => {
      const known = opened.get(kind) ?? loadObserver(kind).then((observer) => observer.open(context));
      opened.set(kind, known);
      return known;
    },
    close: async () => {
      const all = await Promise.allSettled(opened.values());
      await Promise.all(all.map((watch) => (watch.status === 'fulfilled' ? watch.value.close() : undefined)));
    },
  };
}
