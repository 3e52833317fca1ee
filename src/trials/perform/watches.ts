/** The observers of one attempt, each opened once, before the first act. */
import type { TrialJournalWriter } from '../../journal/trial-journal.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import type { Spec } from '../../kinds/kind/step-kind.ts';
import type { ObserverContext, Watch } from '../../observers/observer.ts';
import { loadObserver } from '../kinds/check-table.ts';

type Journal = Pick<TrialJournalWriter, 'emit'>;

/** Of each source that is looked at, the journal takes in once what it declares. */
export function createWatches(context: ObserverContext, journal: Journal) {
  const opened = new Map<string, Promise<Watch<unknown>>>();
  return {
    /** Opens the observer of this kind; one that compares with "before" has to be opened before the first act. */
    open: (kind: string): Promise<Watch<unknown>> => {
      const known =
        opened.get(kind) ??
        loadObserver(kind).then(async (observer) =>
          telling(kind, await observer.open(context), context.signal, journal),
        );
      opened.set(kind, known);
      return known;
    },
    close: async (): Promise<void> => {
      const all = await Promise.allSettled(opened.values());
      await Promise.all(all.map((watch) => (watch.status === 'fulfilled' ? watch.value.close() : undefined)));
    },
  };
}

/** A look that succeeded has read the declaration, too; where it cannot be known, the look counts all the same. */
function telling(kind: string, watch: Watch<unknown>, signal: AbortSignal, journal: Journal): Watch<unknown> {
  if (!watch.declared) return watch;
  const told = new Set<string>();
  return {
    ...watch,
    look: async (query) => {
      const seen = await watch.look(query);
      const source = checkKind(kind)?.source(query as Spec) ?? '';
      if (!told.has(source)) {
        told.add(source);
        const fields = await watch.declared?.(query).catch(() => undefined); // nothing is declared then
        if (fields && !signal.aborted) journal.emit({ type: 'source.declared', source, fields });
      }
      return seen;
    },
  };
}

export type Watches = ReturnType<typeof createWatches>;
