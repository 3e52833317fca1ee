/** The log gate's part of performing: journals new error lines of every service, and the last lines of each. */
import { readSync } from 'node:fs';
import { isAllowed } from '../../checks/log-allowance.ts';
import { readingPlainFile } from '../../kernel/folders/own-file.ts';
import { errorTexts } from '../../observers/logs/error-text.ts';
import { type LogMark, lossOf, markLog, scanSince } from '../../observers/logs/log-mark.ts';
import { ObservationError } from '../../observers/observer.ts';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import type { Attempt } from './attempt.ts';
import type { LiveEnvironment } from './live-environment.ts';

/** The offset of each service's log when the attempt began. */
export type LogMarks = ReadonlyMap<string, LogMark>;

export async function markLogs(environment: LiveEnvironment): Promise<LogMarks> {
  const { services } = await environment.ask('facts', {});
  return new Map(services.map(({ name, logFile }) => [name, markLog(logFile, environment.redactor)]));
}

const mostErrors = 100;

export async function writeLogs(attempt: Attempt, marks: LogMarks): Promise<void> {
  for (const [service, mark] of marks) {
    await writeErrors(attempt, service, mark);
    const because = lossOf(mark);
    if (because !== undefined) attempt.journal.emit({ type: 'log.undecided', service, lines: 0, because });
    const lines = tailSince(mark);
    if (lines.length > 0) attempt.journal.emit({ type: 'log.tail', service, lines });
  }
}

async function writeErrors(
  { trial, journal, signal, environment }: Attempt,
  service: string,
  mark: LogMark,
): Promise<void> {
  const { error } = trial.record.logs;
  if (error === undefined) return;
  const scan = scanSince(mark, environment.redactor, { signal, expression: error, most: mostErrors });
  const found = await scan.next().catch(unreadable);
  if ('because' in found)
    return journal.emit({ type: 'log.undecided', service, lines: 0, because: found.because });
  const { lines, omitted, undecided } = found;
  const last = scan.unfinished();
  for (const found of errorTexts(mark.file, last ? [...lines, last] : lines))
    journal.emit({ type: 'log.error', service, ...found });
  if (undecided + omitted > 0) journal.emit({ type: 'log.undecided', service, lines: undecided + omitted });
}

/** Error lines that came after the attempt and before anything else began; each with its service. */
export async function lateErrors(
  { trial, environment }: Attempt,
  marks: LogMarks,
): Promise<readonly string[]> {
  const { error, allow } = trial.record.logs;
  if (error === undefined) return [];
  const regexes = createRegexTester();
  const found: string[] = [];
  for (const [service, mark] of marks) {
    const { signal } = new AbortController();
    const scan = scanSince(mark, environment.redactor, { signal, expression: error, most: mostErrors });
    const next = await scan.next().catch(unreadable);
    // That a log cannot be read is reported by the attempt itself.
    for (const late of 'because' in next ? [] : errorTexts(mark.file, next.lines))
      if (!isAllowed({ service, ...late }, allow, regexes))
        found.push(`${service}: ${environment.redactor.redact(late.text)}`);
  }
  return found;
}

function unreadable(error: unknown): { readonly because: string } {
  if (error instanceof ObservationError) return { because: error.message };
  throw error;
}

const tailLines = 8;
const tailBytes = 16 * 1024;

/** The last new lines: a log may exceed memory. A partial first line is dropped, because it may be half a secret. */
function tailSince({ file, offset }: LogMark): readonly string[] {
  const tail = readingPlainFile(file, ({ descriptor, stats: { size } }) => {
    const from = Math.max(0, offset - 1, size - tailBytes);
    const buffer = Buffer.alloc(Math.max(0, size - from));
    const text = buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, from));
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines.slice(from === 0 ? 0 : 1).slice(-tailLines);
  });
  return tail ?? [];
}
