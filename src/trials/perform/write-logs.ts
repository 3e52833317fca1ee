/** The log gate's half of performing: writes down new error lines of every service, and the last lines of each. */
import { open } from 'node:fs/promises';
import { logEnd } from '../../observers/logs/log-reader.ts';
import { createLogScan } from '../../observers/logs/log-scan.ts';
import { createRegexTester } from '../../patterns/bounded-regex.ts';
import type { Attempt } from './attempt.ts';
import type { Stage } from './stage.ts';

/** Where each service's log stood when the attempt began. */
export type LogMarks = ReadonlyMap<string, LogMark>;

interface LogMark {
  readonly file: string;
  readonly offset: number;
}

export async function markLogs(stage: Stage): Promise<LogMarks> {
  const { services } = await stage.ask('facts', {});
  const marks = services.map(
    async ({ name, logFile }) => [name, { file: logFile, offset: await logEnd(logFile) }] as const,
  );
  return new Map(await Promise.all(marks));
}

const mostErrors = 100;

export async function writeLogs(attempt: Attempt, marks: LogMarks): Promise<void> {
  for (const [service, mark] of marks) {
    if ((await logEnd(mark.file)) === mark.offset) continue;
    await writeErrors(attempt, service, mark);
    const lines = await tailSince(mark);
    if (lines.length > 0) attempt.journal.emit({ type: 'log.tail', service, lines });
  }
}

async function writeErrors(
  { trial, journal, signal }: Attempt,
  service: string,
  { file, offset }: LogMark,
): Promise<void> {
  const { error } = trial.record.logs;
  if (error === undefined) return;
  const scan = createLogScan({ file, from: offset, signal, expression: error, most: mostErrors });
  const { lines, omitted, undecided } = await scan.next();
  const last = scan.unfinished();
  for (const { text } of last ? [...lines, last] : lines) journal.emit({ type: 'log.error', service, text });
  if (undecided + omitted > 0) journal.emit({ type: 'log.undecided', service, lines: undecided + omitted });
}

/** Error lines that came after the attempt was over, and before anything else was begun; each with its service. */
export async function lateErrors({ trial, stage }: Attempt, marks: LogMarks): Promise<readonly string[]> {
  const { error, allow } = trial.record.logs;
  const never = new AbortController();
  if (error === undefined) return [];
  const regexes = createRegexTester();
  const found: string[] = [];
  for (const [service, { file, offset }] of marks) {
    if ((await logEnd(file)) <= offset) continue;
    const scan = createLogScan({
      file,
      from: offset,
      signal: never.signal,
      expression: error,
      most: mostErrors,
    });
    for (const { text } of (await scan.next()).lines) {
      const allowed = allow.some(
        (one) => one.service === service && regexes.test(one.match, '', text) === true,
      );
      if (!allowed) found.push(`${service}: ${stage.redactor.redact(text)}`);
    }
  }
  return found;
}

const tailLines = 8;
const tailBytes = 16 * 1024;

/** The last lines of what is new: a log may be larger than memory. */
async function tailSince({ file, offset }: LogMark): Promise<readonly string[]> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const from = Math.max(offset, size - tailBytes);
    const buffer = Buffer.alloc(Math.max(0, size - from));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines.slice(-tailLines);
  } finally {
    await handle.close();
  }
}
