/** The observers of one attempt, each opened once, before anything is done. */
import type { Observer, ObserverContext, Watch } from '../../observers/observer.ts';
import { observers } from '../../observers/observer-table.ts';

export interface Watches {
  /** Opens what a check of this kind needs; what must be compared with "before" has to be opened before. */
  open(kind: string): Promise<Watch<unknown>>;
  close(): Promise<void>;
}

export function createWatches(context: ObserverContext): Watches {
  const opened = new Map<string, Promise<Watch<unknown>>>();
  return {
    open: (kind) => {
      const known = opened.get(kind) ?? load(kind).then((observer) => observer.open(context));
      opened.set(kind, known);
      return known;
    },
    close: async () => {
      const all = await Promise.allSettled(opened.values());
      await Promise.all(all.map((watch) => (watch.status === 'fulfilled' ? watch.value.close() : undefined)));
    },
  };
}

async function load(kind: string): Promise<Observer<unknown>> {
  const observer = observers[kind];
  if (!observer) throw new Error(`there is no observer ${kind}`);
  return observer();
}
