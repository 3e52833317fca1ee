/** What a keeper recorded before it ended, for clients that connected too late. */
import type { JournalEvent } from '../../journal/event.ts';
import { readJournal } from '../../journal/reader.ts';
import { journalFile } from '../run-folder.ts';

type EventOf<Type extends JournalEvent['type']> = Extract<JournalEvent, { type: Type }>;

/** The failure if there was one, else the orderly end; undefined when it recorded neither. */
export async function lastWord(
  runFolder: string,
): Promise<EventOf<'environment.failed'> | EventOf<'environment.down'> | undefined> {
  const events: readonly JournalEvent[] = await readJournal(journalFile(runFolder)).then(
    (journal) => journal.events,
    () => [], // without a journal there is nothing to read
  );
  return (
    events.find((event): event is EventOf<'environment.failed'> => event.type === 'environment.failed') ??
    events.find((event): event is EventOf<'environment.down'> => event.type === 'environment.down')
  );
}
