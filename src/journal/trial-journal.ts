/** The journal of one attempt: written as it happens, redacted, with large values packed beside it; and read back. */

import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import { parseExactJson } from '../kernel/exact-json.ts';
import { Problem } from '../kernel/problem.ts';
import { errorCode } from '../kernel/system-error.ts';
import { createPacker, unpack } from './packed-values.ts';
import { redactEvent } from './redact-event.ts';
import type { Redactor } from './redaction.ts';
import type { AttemptEvent, AttemptEventBody, TrialJournalHeader } from './trial-event.ts';

export interface TrialJournalWriter {
  emit(event: AttemptEventBody): void;
  /** Milliseconds since the attempt's first moment. */
  at(): number;
  close(): void;
}

const eventsName = 'events.ndjson';
const segmentName = 'values.seg';

export function openTrialJournal(
  folder: string,
  header: TrialJournalHeader,
  clock: Clock,
  redactor: Redactor,
): TrialJournalWriter {
  mkdirSync(folder, { recursive: true });
  const file = openSync(path.join(folder, eventsName), 'w', 0o600);
  const packer = createPacker(path.join(folder, segmentName));
  const startedAt = clock.monotonic();
  const at = (): number => Math.round((clock.monotonic() - startedAt) * 1_000) / 1_000;
  const lines = createLineWriter(file, clock);
  let seq = 0;
  lines.write(JSON.stringify(header));
  return {
    at,
    emit: (body) => {
      seq += 1;
      const clean = redactEvent(body, redactor);
      lines.write(JSON.stringify({ seq, at: at(), ...packer.pack(clean) }));
    },
    close: () => {
      lines.flush();
      packer.close();
      closeSync(file);
    },
  };
}

const flushMs = 10;
const flushChars = 64 * 1024;

/** One write for all lines of a few milliseconds: a thousand quick steps would wait for the disk otherwise. */
function createLineWriter(file: number, clock: Clock): { write(line: string): void; flush(): void } {
  let waiting = '';
  let cancel: (() => void) | undefined;
  const flush = (): void => {
    cancel?.();
    cancel = undefined;
    if (waiting !== '') writeSync(file, waiting);
    waiting = '';
  };
  return {
    flush,
    write: (line) => {
      waiting += `${line}\n`;
      if (waiting.length > flushChars) flush();
      else cancel ??= clock.after(flushMs, flush);
    },
  };
}

export interface TrialJournal {
  readonly header: TrialJournalHeader;
  readonly events: readonly AttemptEvent[];
  /** The last line was cut off: whoever wrote it was killed while writing. */
  readonly torn: boolean;
}

export async function readTrialJournal(folder: string): Promise<TrialJournal> {
  const file = path.join(folder, eventsName);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(file, 1, `cannot be read: ${errorCode(error) ?? String(error)}`);
  });
  const lines = text.split('\n');
  const torn = lines.pop() !== '';
  const [first, ...rest] = lines;
  if (first === undefined) throw unreadable(file, 1, 'holds no complete line');
  const header = parseLine(file, 1, first) as TrialJournalHeader | null;
  if (header?.journal !== 1 || typeof header.trial !== 'string')
    throw unreadable(file, 1, `begins with ${first.slice(0, 80)}`);
  const segment = path.join(folder, segmentName);
  const events = rest.map((line, index) => {
    const event = parseLine(file, index + 2, line) as AttemptEvent | null;
    if (typeof event?.type !== 'string')
      throw unreadable(file, index + 2, `has no event there: ${line.slice(0, 80)}`);
    try {
      return unpack(event, segment);
    } catch (error) {
      throw unreadable(file, index + 2, `speaks of a value that is not in ${segmentName}: ${String(error)}`);
    }
  });
  return { header, events, torn };
}

function parseLine(file: string, line: number, text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    throw unreadable(file, line, `is not JSON there: ${text.slice(0, 80)}`);
  }
}

function unreadable(file: string, line: number, what: string): Problem {
  return new Problem({
    code: 'journal.unreadable',
    where: { file, line, column: 1 },
    what: `the journal ${what}`,
    allowed: 'a journal of version 1, one JSON object a line, with its values beside it',
    next: 'use the run folder as it was written, or run again',
  });
}
