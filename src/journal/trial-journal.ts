/** The journal of one attempt: written as it happens, redacted, with large values packed next to it; and read back. */
import { closeSync, mkdirSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import { openNewFile } from '../kernel/folders/entries-below.ts';
import { createPacker, unpack } from './packed-values.ts';
import { readJournalBytes, readLines, unreadable } from './read-lines.ts';
import { redactEvent } from './redact-event.ts';
import type { Redactor } from './redaction.ts';
import { createSealer } from './seal.ts';
import type { AttemptEvent, AttemptEventBody, TrialJournalHeader } from './trial-event.ts';

const eventsName = 'events.ndjson';
const segmentName = 'values.seg';

export function openTrialJournal(
  folder: string,
  header: TrialJournalHeader,
  clock: Clock,
  redactor: Redactor,
) {
  mkdirSync(folder, { recursive: true });
  const file = openNewFile(path.join(folder, eventsName));
  const packer = createPacker(path.join(folder, segmentName));
  const startedAt = clock.monotonic();
  const at = (moment = clock.monotonic()): number => Math.round((moment - startedAt) * 1_000) / 1_000;
  let failure: { readonly error: unknown } | undefined;
  const attempt = (work: () => void): void => {
    if (failure) return;
    try {
      work();
    } catch (error) {
      failure = { error };
    }
  };
  const lines = createLineWriter(file, (flush) => clock.after(flushMs, () => attempt(flush)));
  const seal = createSealer();
  let seq = 0;
  attempt(() => lines.write(seal(JSON.stringify(header))));
  return {
    /** Milliseconds from the attempt's first moment to a moment on the clock, or until now. */
    at,
    /** Never throws: code that only reports what happened does not catch. */
    emit: (body: AttemptEventBody): void => {
      seq += 1;
      attempt(() => {
        const clean = redactEvent(body, redactor);
        lines.write(seal(packer.write({ seq, at: at(), ...clean })));
      });
    },
    /** Throws what kept it from being written. */
    close: (): void => {
      attempt(lines.flush);
      packer.close();
      closeSync(file);
      if (failure) throw failure.error;
    },
  };
}

export type TrialJournalWriter = ReturnType<typeof openTrialJournal>;

const flushMs = 10;
const flushChars = 64 * 1024;

/** One write for all lines of a few milliseconds: a thousand quick steps would wait for the disk otherwise. */
function createLineWriter(
  file: number,
  later: (flush: () => void) => () => void,
): { write(line: string): void; flush(): void } {
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
      else cancel ??= later(flush);
    },
  };
}

export interface TrialJournal {
  readonly header: TrialJournalHeader;
  readonly events: readonly AttemptEvent[];
  /** The last line was cut off: the writer was killed while writing. */
  readonly torn: boolean;
  /** False for one of version 1, which has no checksums. */
  readonly isChecked: boolean;
}

export async function readTrialJournal(folder: string): Promise<TrialJournal> {
  const file = path.join(folder, eventsName);
  const { header, events, ...rest } = readLines(file, readJournalBytes(file));
  if (typeof (header as TrialJournalHeader).trial !== 'string')
    throw unreadable(file, 1, 'is not that of an attempt');
  const segment = path.join(folder, segmentName);
  const unpacked = events.map((event, index) => {
    try {
      return unpack(event, segment) as AttemptEvent;
    } catch (error) {
      throw unreadable(file, index + 2, `refers to a value that is not in ${segmentName}: ${String(error)}`);
    }
  });
  return { header: header as TrialJournalHeader, events: unpacked, ...rest };
}
