/** The daemon's event log: one line of JSON for each event, in `events.jsonl`. */
import { mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface EventLog {
  write(event: Readonly<Record<string, unknown>>): void;
  readonly count: number;
  /** When the last one was written. */
  readonly last: string | null;
}

const textCharacters = 1_000;

export function openEventLog(folder: string): EventLog {
  mkdirSync(folder, { recursive: true });
  const file = openSync(join(folder, 'events.jsonl'), 'a');
  let count = 0;
  let last: string | null = null;
  return {
    write(event) {
      last = new Date().toISOString();
      count += 1;
      writeSync(file, `${JSON.stringify({ at: last, ...event }, shorten)}\n`);
    },
    get count() {
      return count;
    },
    get last() {
      return last;
    },
  };
}

function shorten(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, textCharacters) : value;
}
