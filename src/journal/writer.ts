/** Writes events to a journal file, numbered, timed and redacted; what was emitted before our own crash is on disk. */
import { closeSync, writeSync } from 'node:fs';
import type { Clock } from '../kernel/clock.ts';
import { openToAppend } from '../kernel/folders/entries-below.ts';
import { limits } from '../kernel/limits.ts';
import type { Emit, JournalEvent, JournalHeader } from './event.ts';
import { fromOutside } from './outside-text.ts';
import { redactEvent } from './redact-event.ts';
import type { Redactor } from './redaction.ts';
import { createSealer } from './seal.ts';

export interface JournalWriter {
  readonly emit: Emit;
  /** Milliseconds from the run's first moment to `moment` on the clock, or until now. */
  at(moment?: number): number;
  close(): void;
}

export interface JournalWriterOptions {
  readonly file: string;
  readonly header: JournalHeader;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** Sees each event as it was written. */
  readonly listener?: (event: JournalEvent) => void;
  /** The disk did not take it: called once, and nothing is written any more. */
  readonly onFailure: (error: unknown) => void;
}

export function openJournal(options: JournalWriterOptions): JournalWriter {
  const { clock, redactor } = options;
  const file = openToAppend(options.file);
  const startedAt = clock.monotonic();
  let seq = 0;
  let usable = true;
  let written = 0;
  let isFull = false;
  const seal = createSealer();
  const write = (line: string): void => {
    if (!usable) return;
    try {
      written += writeSync(file, `${seal(line)}\n`);
    } catch (error) {
      usable = false;
      options.onFailure(error);
    }
  };
  write(JSON.stringify(options.header));
  const at = (moment = clock.monotonic()): number => Math.round((moment - startedAt) * 1_000) / 1_000;
  return {
    at,
    emit: (body) => {
      seq += 1;
      const event: JournalEvent = {
        seq,
        at: at(),
        ...redactEvent(isBulk(body) ? fromOutside(body) : body, redactor),
      };
      if (written <= limits.journalBytes || !isBulk(event)) write(JSON.stringify(event));
      else if (!isFull) {
        isFull = true;
        write(JSON.stringify({ seq, at: at(), type: 'journal.full', bytes: written } satisfies JournalEvent));
      }
      options.listener?.(event);
    },
    close: () => {
      usable = false;
      closeSync(file);
    },
  };
}

/** What there can be any number of; the rest describes the life of the environment, and is always written. */
export function isBulk({ type }: Pick<JournalEvent, 'type'>): boolean {
  return type === 'call' || type === 'span' || type.startsWith('connection.') || type.endsWith('.called');
}
