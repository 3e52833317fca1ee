/** What a keeper wrote down before it went, for whoever came too late to be told. */
import type { JournalEvent } from '../../journal/event.ts';
import { readJournal } from '../../journal/reader.ts';
import { journalFile } from '../run-folder.ts';

type EventOf<Type extends JournalEvent['type']> = Extract<JournalEvent, { type: Type }>;

/** The failure when there was one, else the orderly end; undefined when it went without a word. */
export async function lastWord(
  runFolder: string,
): Promise<EventOf<'environment.failed'> | EventOf<'environment.down'> | undefined> {
  const events: readonly JournalEvent[] = await readJournal(journalFile(runFolder)).then(
    (journal) => journal.events,
    () => [], // no journal is no word
  );
  return (
    events.find((event): event is EventOf<'environment.failed'> => event.type === 'environment.failed') ??
    events.find((event): event is EventOf<'environment.down'> => event.type === 'environment.down')
  );
}
