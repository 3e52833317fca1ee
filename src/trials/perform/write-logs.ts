/** The log gate's half of performing: writes down new error lines of every service, and the last lines of each. */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import type { Attempt } from './attempt.ts';
import type { Stage } from './stage.ts';

/** Where each service's log stood when the attempt began. */
export type LogMarks = ReadonlyMap<string, { readonly file: string; readonly offset: number }>;

export async function markLogs(stage: Stage): Promise<LogMarks> {
  const { services } = await stage.ask('facts', {});
  return new Map(
    services.map(({ name, logFile }) => [
      name,
      { file: logFile, offset: statSync(logFile, { throwIfNoEntry: false })?.size ?? 0 },
    ]),
  );
}

const tailLines = 8;
const mostErrors = 100;

export async function writeLogs(attempt: Attempt, marks: LogMarks): Promise<void> {
  const { error } = attempt.trial.record.logs;
  for (const [service, { file, offset }] of marks) {
    const tail: string[] = [];
    let errors = 0;
    const regexes = createRegexTester();
    for (const line of newLines(file, offset)) {
      tail.push(line);
      if (tail.length > tailLines) tail.shift();
      if (error === undefined || errors >= mostErrors || regexes.test(error, '', line) !== true) continue;
      errors += 1;
      attempt.journal.emit({ type: 'log.error', service, text: line });
    }
    if (tail.length > 0) attempt.journal.emit({ type: 'log.tail', service, lines: tail });
  }
}

const chunkBytes = 256 * 1024;
const longestLine = 8 * 1024;

/** Line by line, in chunks: a log may be larger than memory. */
function* newLines(file: string, from: number): Generator<string> {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(chunkBytes);
    let rest = '';
    for (let offset = from; offset < size; ) {
      const bytes = readSync(descriptor, buffer, 0, chunkBytes, offset);
      if (bytes === 0) break;
      offset += bytes;
      const lines = (rest + buffer.toString('utf8', 0, bytes)).split('\n');
      rest = (lines.pop() ?? '').slice(0, longestLine);
      for (const line of lines) yield line.slice(0, longestLine);
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(descriptor);
  }
}
