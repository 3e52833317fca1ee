/** The observers of one attempt, each opened once, before the first act. */
import type { ObserverContext, Watch } from '../../observers/observer.ts';
import { loadObserver } from '../kinds/check-table.ts';

export function createWatches(context: ObserverContext) {
  const opened = new Map<string, Promise<Watch<unknown>>>();
  return {
    /** Opens the observer of this kind; one that compares with "before" has to be opened before the first act. */
    open: (kind: string): Promise<Watch<unknown>> => {
      const known = opened.get(kind) ?? loadObserver(kind).then((observer) => observer.open(context));
      opened.set(kind, known);
      return known;
    },
    close: async (): Promise<void> => {
      const all = await Promise.allSettled(opened.values());
      await Promise.all(all.map((watch) => (watch.status === 'fulfilled' ? watch.value.close() : undefined)));
    },
  };
}

export type Watches = ReturnType<typeof createWatches>;
