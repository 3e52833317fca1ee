/** Sees everything that changed since the attempt began: `changes: [rows, files, calls]`. */
import { callChanges } from '../calls/calls-observer.ts';
import { fileChanges } from '../files/folder-contents.ts';
import { suggest } from '../find-service.ts';
import { type Changes, ObservationError, type Observer, watching } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { keyChanges } from '../redis/key-changes.ts';
import { rowChanges } from '../rows/row-changes.ts';

export interface ChangesQuery {
  readonly kinds: readonly string[];
}

/** In the order in which changes are shown. */
const all: readonly Changes[] = [rowChanges, keyChanges, fileChanges, callChanges];

export const changesObserver: Observer<ChangesQuery> = {
  name: 'changes',
  open: async (context) => {
    const begin = await context.facts();
    const opening = all.map(async ({ kind, open }) => ({ kind, ...(await open(context, begin)) }));
    const opened = await Promise.all(opening).catch(async (error: unknown) => {
      await Promise.allSettled(opening.map(async (one) => (await one).close?.()));
      throw error;
    });
    const look = async ({ kinds }: ChangesQuery): Promise<readonly unknown[]> => {
      refuseUnknownKinds(kinds);
      const wanted = opened.filter(({ kind }) => kinds.includes(kind));
      const found = (await Promise.all(wanted.map((one) => one.look()))).flat();
      if (found.length > observerLimits.elements)
        throw new ObservationError(`more than ${observerLimits.elements} changes since the attempt began`);
      return found;
    };
    return watching(context, look, async () => void (await Promise.all(opened.map((one) => one.close?.()))));
  },
};

function refuseUnknownKinds(kinds: readonly string[]): void {
  const known = all.map(({ kind }) => kind);
  const unknown = kinds.find((kind) => !known.includes(kind));
  if (unknown === undefined && kinds.length > 0) return;
  throw new ObservationError(
    `unknown kind of change ${unknown ?? 'nothing'}; ${suggest(unknown ?? '', known, 'the possible values are')}`,
  );
}
