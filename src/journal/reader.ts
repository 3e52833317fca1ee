/** Reads the journal of an environment; a last line torn by a crash is dropped and reported, others must be valid. */
import type { JournalEvent, JournalHeader } from './event.ts';
import { readJournalBytes, readLines } from './read-lines.ts';

export interface Journal {
  readonly header: JournalHeader;
  readonly events: readonly JournalEvent[];
  /** The last line was cut off: the writer was killed while writing. */
  readonly torn: boolean;
}

export async function readJournal(file: string): Promise<Journal> {
  return parseJournal(file, readJournalBytes(file));
}

export function parseJournal(file: string, bytes: Buffer): Journal {
  const { header, events, torn } = readLines(file, bytes);
  return { header: header as JournalHeader, events: events as readonly JournalEvent[], torn };
}
