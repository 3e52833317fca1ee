/** Reads the lines of a journal: each must be an event of a known kind with a valid checksum; errors name the line. */
import { parseExactJson } from '../kernel/exact-json.ts';
import { readPlainFile } from '../kernel/folders/own-file.ts';
import { Problem } from '../kernel/problem.ts';
import { type JournalVersion, journalVersion } from './event.ts';
import { faultOfEvent } from './event-forms.ts';
import { createSealBreaker } from './seal.ts';

export interface JournalLines {
  readonly header: unknown;
  readonly events: readonly object[];
  /** The last line was cut off: the writer was killed while writing. */
  readonly torn: boolean;
  /** Version 1 had no checksums. */
  readonly isChecked: boolean;
}

export function readJournalBytes(file: string): Buffer {
  try {
    return readPlainFile(file);
  } catch (error) {
    throw unreadable(file, 1, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function readLines(file: string, bytes: Buffer): JournalLines {
  const lines = splitLines(bytes);
  const [first] = lines;
  if (!first) throw unreadable(file, 1, 'holds no complete line');
  const version = versionOf(first);
  if (version !== 1 && version !== journalVersion)
    throw unreadable(
      file,
      1,
      version === undefined ? `begins with ${first.toString('utf8', 0, 80)}` : `is of version ${version}`,
    );
  const open = version === 1 ? (line: Buffer) => line.toString() : createSealBreaker();
  const [header, ...events] = lines.map((line, index) => {
    const text = open(line);
    if (text === undefined)
      throw unreadable(
        file,
        index + 1,
        'was changed after it was written: the checksum of this line does not match',
      );
    return parseLine(file, index + 1, text);
  });
  events.forEach((event, index) => {
    const fault = version === 1 ? faultOfOlder(event) : faultOfEvent(event);
    if (fault !== undefined) throw unreadable(file, index + 2, fault);
  });
  return {
    header,
    events: events as readonly object[],
    torn: bytes.length > 0 && bytes.at(-1) !== newline,
    isChecked: version !== 1,
  };
}

const newline = 10;

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0, to = bytes.indexOf(newline); to >= 0; from = to + 1, to = bytes.indexOf(newline, from))
    lines.push(bytes.subarray(from, to));
  return lines;
}

function versionOf(line: Buffer): number | undefined {
  const found = /^\{"journal":(\d+)[,}]/.exec(line.toString('latin1', 0, 30))?.[1];
  // A header that has a checksum is not one of the first version.
  return found === undefined || (found === '1' && line.includes('"crc":"')) ? undefined : Number(found);
}

function faultOfOlder(event: unknown): string | undefined {
  const type: unknown = typeof event === 'object' && event !== null ? Reflect.get(event, 'type') : undefined;
  return typeof type === 'string' ? undefined : 'has no event there';
}

function parseLine(file: string, line: number, text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    throw unreadable(file, line, `is not JSON there: ${text.slice(0, 80)}`);
  }
}

export function unreadable(file: string, line: number, what: string): Problem {
  const versions: readonly JournalVersion[] = [1, journalVersion];
  return new Problem({
    code: 'journal.unreadable',
    where: { file, line, column: 1 },
    what: `the journal ${what}`,
    allowed: `a journal of version ${versions.join(' or ')} as it was written, one JSON object a line`,
    next: 'use the run folder as it was written, or run again',
  });
}
