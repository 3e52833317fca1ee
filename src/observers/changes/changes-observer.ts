/** Sees everything that changed since the attempt began: `changes: [rows, files, calls]`. */
import { untilAborted } from '../../kernel/until-aborted.ts';
import { openCallViews, refuseUnread } from '../calls/calls-observer.ts';
import { suggest } from '../find-service.ts';
import { CannotSee, type Observer, type ObserverContext } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { type DatabaseLinks, openDatabaseLinks } from '../rows/database-links.ts';
import { compareTables } from './compare-tables.ts';
import { compareFiles, readAllFiles } from './folder-contents.ts';
import { type AllTables, readAllTables } from './table-contents.ts';

export interface ChangesQuery {
  readonly kinds: readonly ChangeKind[];
}

export type ChangeKind = 'rows' | 'files' | 'calls' | 'objects';

const allKinds: readonly ChangeKind[] = ['rows', 'files', 'calls', 'objects'];

export const changesObserver: Observer<ChangesQuery> = {
  name: 'changes',
  source: () => 'changes',
  open: async (context) => {
    const { clock, signal } = context;
    const links = openDatabaseLinks(clock, signal);
    const sides = await openSides(context, links).catch(async (error: unknown) => {
      await links.close();
      throw error;
    });
    const look = async ({ kinds }: ChangesQuery): Promise<readonly unknown[]> => {
      refuseUnknownKinds(kinds);
      const wanted = allKinds.filter((kind) => kinds.includes(kind));
      const found = (await Promise.all(wanted.map((kind) => sides[kind]()))).flat();
      if (found.length > observerLimits.changes)
        throw new CannotSee(`more than ${observerLimits.changes} changes since the attempt began`, 'never');
      return found;
    };
    return {
      look: (query) => untilAborted(signal, look(query)),
      close: () => links.close(),
    };
  },
};

type Sides = Readonly<Record<ChangeKind, () => Promise<readonly unknown[]>>>;

/** Takes down how everything is now. */
async function openSides(context: ObserverContext, links: DatabaseLinks): Promise<Sides> {
  const { clock, facts, signal } = context;
  const begin = await facts();
  const [tables, files, calls] = await Promise.all([
    // Whoever asks for rows later must hear that nobody knows how they were.
    readAllTables(links, begin.databases).catch(
      (error: unknown) => new CannotSee(unknownBegin(error), 'never'),
    ),
    readAllFiles({ facts: begin, now: clock.now(), signal }),
    openCallViews(context),
  ]);
  return {
    rows: async () => {
      const { databases } = await facts();
      // Nothing can change where there is nothing, and a check that can never fail is none.
      if (databases.length === 0) throw new CannotSee('there is no database in this system', 'never');
      return compareTables(known(tables), await readAllTables(links, databases));
    },
    files: async () => compareFiles(files, { facts: await facts(), now: clock.now(), signal }),
    // There is no object store yet in which something could change.
    objects: async () => [],
    calls: async () => {
      const crossed = await calls.on(() => true);
      // What the trial itself sent is no change, whatever it was.
      refuseUnread(crossed.filter(({ from }) => from !== 'outside'));
      return crossed.map((call) => ({ kind: 'call', ...call }));
    },
  };
}

function known(tables: AllTables | CannotSee): AllTables {
  if (tables instanceof CannotSee) throw tables;
  return tables;
}

function unknownBegin(error: unknown): string {
  return `what was in the tables before is not known: ${error instanceof Error ? error.message : String(error)}`;
}

function refuseUnknownKinds(kinds: readonly string[]): void {
  const unknown = kinds.find((kind) => !allKinds.some((known) => known === kind));
  if (unknown === undefined && kinds.length > 0) return;
  throw new CannotSee(
    `there are no changes of ${unknown ?? 'nothing'}; ${suggest(unknown ?? '', allKinds, 'possible are')}`,
    'never',
  );
}
