/** The journals of the environments of a run, each until it was ready or had failed. */
import { readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { environmentFolderOf, journalFile } from '../../environment/run-folder.ts';
import type { JournalEvent } from '../../journal/event.ts';
import { parseJournal } from '../../journal/reader.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { readingPlainFile } from '../../kernel/folders/own-file.ts';
import { ifProblem } from '../../kernel/problem.ts';
import { absentOn } from '../../kernel/system-error.ts';
import { eventText } from './event-text.ts';
import type { ReportedBoot } from './report-data.ts';
import { reportLimits } from './report-limits.ts';
import type { ReportSource } from './report-source.ts';

/** One that cannot be read is left out: the timeline of a boot only helps. */
export function readBoots({ folder, plan }: ReportSource): readonly ReportedBoot[] {
  return environmentsIn(folder).flatMap((number) => {
    const file = journalFile(environmentFolderOf(folder, number));
    const bytes = readingPlainFile(file, ({ descriptor }) => {
      const buffer = Buffer.alloc(reportLimits.bootBytes);
      return buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, 0));
    });
    const events = bytes === undefined ? undefined : bootEvents(file, bytes);
    return events ? [{ run: plan.run, environment: String(number), events }] : [];
  });
}

function environmentsIn(folder: string): readonly number[] {
  const place = path.dirname(environmentFolderOf(folder, 1));
  const names = namesIn(place).filter((name) => /^\d{1,6}$/.test(name));
  return names
    .map(Number)
    .sort((a, b) => a - b)
    .slice(0, reportLimits.boots);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    return absentOn('ENOENT', 'ENOTDIR', 'EACCES')(error) ?? [];
  }
}

const ends = ['"type":"environment.ready"', '"type":"environment.failed"'];

function bootEvents(file: string, bytes: Buffer): ReportedBoot['events'] | undefined {
  const found = ends.map((end) => bytes.indexOf(end)).filter((at) => at >= 0);
  const end = found.length === 0 ? -1 : bytes.indexOf('\n', Math.min(...found));
  const boot = bytes.subarray(0, end < 0 ? bytes.lastIndexOf('\n') + 1 : end + 1);
  try {
    const { events } = parseJournal(file, boot);
    return events.map(
      (event) => parseExactJson(eventText(event, reportLimits.passedBodyBytes)) as JournalEvent,
    );
  } catch (error) {
    return ifProblem(error);
  }
}
