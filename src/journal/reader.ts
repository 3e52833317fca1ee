/** Reads a journal back; a last line torn by a crash is dropped and said, a broken line elsewhere is an error. */

import { readFile } from 'node:fs/promises';
import { parseExactJson } from '../kernel/exact-json.ts';
import { Problem } from '../kernel/problem.ts';
import { errorCode } from '../kernel/system-error.ts';
import { type JournalEvent, type JournalHeader, journalVersion } from './event.ts';

export interface Journal {
  readonly header: JournalHeader;
  readonly events: readonly JournalEvent[];
  /** The last line was cut off: whoever wrote it was killed while writing. */
  readonly torn: boolean;
}

export async function readJournal(file: string): Promise<Journal> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(file, 1, `cannot be read: ${errorCode(error) ?? String(error)}`);
  });
  return parseJournal(file, text);
}

export function parseJournal(file: string, text: string): Journal {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const torn = last !== '';
  const [first, ...rest] = lines;
  if (first === undefined) throw unreadable(file, 1, 'holds no complete line');
  const header = parseLine(file, 1, first) as JournalHeader;
  if (header.journal !== journalVersion) {
    throw unreadable(file, 1, `has version ${JSON.stringify(header.journal)} in its first line`);
  }
  const events = rest.map((line, index) => parseLine(file, index + 2, line) as JournalEvent);
  return { header, events, torn };
}

function parseLine(file: string, line: number, text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    throw unreadable(file, line, `is not JSON: ${text.slice(0, 80)}`);
  }
}

function unreadable(file: string, line: number, what: string): Problem {
  return new Problem({
    code: 'journal.unreadable',
    where: { file, line, column: 1 },
    what: `the journal ${what}`,
    allowed: `a journal of version ${journalVersion}, one JSON object a line`,
    next: 'use the run folder as it was written, or run again',
  });
}
