/** The reference run of each trial, its last passing attempt in a compact form: failures are compared with it. */
import path from 'node:path';
import { digestOf } from '../../checks/blame/reference/digest-of.ts';
import { mergeDigests } from '../../checks/blame/reference/merge-digests.ts';
import { isDigest, type ReferenceDigest } from '../../checks/blame/reference/reference-digest.ts';
import type { RunVerdict } from '../../checks/verdict.ts';
import { cacheFolder } from '../../environment/run-folder.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import { writeClean } from '../../journal/write-redacted.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { moveBelow } from '../../kernel/folders/entries-below.ts';
import { readPlainFile } from '../../kernel/folders/own-file.ts';
import { absentOn } from '../../kernel/system-error.ts';
import { trialFolder } from './read-attempt.ts';

const referenceFile = 'green.json';

/** Copies the references beside the evidence of the run, so that judging it elsewhere gives the same result. */
export function copyReferences(systemFolder: string, runFolder: string, ids: readonly string[]): void {
  for (const id of ids) {
    const reference = readReference(storedAt(systemFolder, id));
    if (!reference) continue;
    const place = path.join(runFolder, trialFolder(id, 1), referenceFile);
    writeClean(place, JSON.stringify(reference), runFolder);
  }
}

/** The references of the run. */
export function referenceOf(runFolder: string, id: string): ReferenceDigest | undefined {
  return readReference(path.join(runFolder, trialFolder(id, 1), referenceFile));
}

/** Stores every attempt of a trial that passed as a whole: of one that did not, the good parts are not known. */
export async function keepReferences(
  systemFolder: string,
  runFolder: string,
  { trials, exitCode }: RunVerdict,
): Promise<void> {
  if (exitCode !== exitCodes.held) return;
  for (const { id, verdict, attempts } of trials) {
    if (verdict !== 'passed') continue;
    const file = storedAt(systemFolder, id);
    let reference = readReference(file);
    for (let attempt = 1; attempt <= Math.min(attempts, mostLearnt); attempt += 1) {
      const { events } = await readTrialJournal(path.join(runFolder, trialFolder(id, attempt)));
      const newer = digestOf(events);
      if (newer) reference = mergeDigests(reference, newer);
    }
    if (reference) write(systemFolder, file, path.basename(runFolder), reference);
  }
}

/** The first rounds suffice. */
const mostLearnt = 5;

function write(systemFolder: string, file: string, run: string, reference: ReferenceDigest): void {
  // Another run may write its own at the same time; either is fine, half a file is not.
  const draft = `${file}.${run}`;
  try {
    writeClean(draft, JSON.stringify(reference), systemFolder);
    moveBelow(systemFolder, draft, file);
  } catch (error) {
    absentOn('ENOTDIR', 'EISDIR')(error); // a service created something at this path; the next run refuses it
  }
}

function storedAt(systemFolder: string, id: string): string {
  return path.join(cacheFolder(systemFolder), 'green', `${id.replaceAll('/', '~')}.json`);
}

/** One that cannot be read is treated as absent: it only helps. */
function readReference(file: string): ReferenceDigest | undefined {
  try {
    const read: unknown = parseExactJson(readPlainFile(file).toString());
    return isDigest(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
