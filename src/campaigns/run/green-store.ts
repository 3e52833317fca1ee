/** The last green attempt of each trial, kept in a small form: a failure is compared with it to find who changed. */
import path from 'node:path';
import { digestOf } from '../../checks/blame/green/digest-of.ts';
import type { GreenDigest } from '../../checks/blame/green/green-digest.ts';
import { isDigest } from '../../checks/blame/green/is-digest.ts';
import { mergeDigests } from '../../checks/blame/green/merge-digests.ts';
import type { RunVerdict } from '../../checks/verdict.ts';
import { cacheFolder } from '../../environment/run-folder.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import { writeClean } from '../../journal/write-redacted.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { moveBelow } from '../../kernel/folders/entries-below.ts';
import { readPlainFile } from '../../kernel/folders/own-file.ts';
import { absentOn } from '../../kernel/system-error.ts';
import { trialFolder } from './trial-folder.ts';

const greenFile = 'green.json';

/** Puts what was green before beside the evidence of the run, so that it can be judged again anywhere with the same answer. */
export function layOutGreens(systemFolder: string, runFolder: string, ids: readonly string[]): void {
  for (const id of ids) {
    const green = readGreen(storedAt(systemFolder, id));
    if (!green) continue;
    const place = path.join(runFolder, trialFolder(id, 1), greenFile);
    writeClean(place, JSON.stringify(green), runFolder);
  }
}

/** What the run was to be compared with. */
export function greenOf(runFolder: string, id: string): GreenDigest | undefined {
  return readGreen(path.join(runFolder, trialFolder(id, 1), greenFile));
}

/** Learns from every attempt of a run that passed as a whole: of one that did not, nobody knows which parts were good. */
export async function keepGreens(
  systemFolder: string,
  runFolder: string,
  { trials, exitCode }: RunVerdict,
): Promise<void> {
  if (exitCode !== exitCodes.held) return;
  for (const { id, verdict, attempts } of trials) {
    if (verdict !== 'passed') continue;
    const file = storedAt(systemFolder, id);
    let green = readGreen(file);
    for (let attempt = 1; attempt <= Math.min(attempts, mostLearnt); attempt += 1) {
      const { events } = await readTrialJournal(path.join(runFolder, trialFolder(id, attempt)));
      const newer = digestOf(events);
      if (newer) green = mergeDigests(green, newer);
    }
    if (green) write(systemFolder, file, path.basename(runFolder), green);
  }
}

/** Of many rounds the first tell enough. */
const mostLearnt = 5;

function write(systemFolder: string, file: string, run: string, green: GreenDigest): void {
  // Another run may keep its own at the same moment; either is good, half of one is not.
  const draft = `${file}.${run}`;
  try {
    writeClean(draft, JSON.stringify(green), systemFolder);
    moveBelow(systemFolder, draft, file);
  } catch (error) {
    absentOn('ENOTDIR', 'EISDIR')(error); // a service put something in the way; the next run refuses it
  }
}

function storedAt(systemFolder: string, id: string): string {
  return path.join(cacheFolder(systemFolder), 'green', `${id.replaceAll('/', '~')}.json`);
}

/** One that cannot be read is as good as none: it is only a help. */
function readGreen(file: string): GreenDigest | undefined {
  try {
    const read: unknown = parseExactJson(readPlainFile(file).toString());
    return isDigest(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
