/** Redacts the logs of an environment, once nothing writes to them any more. */
import { closeSync, existsSync, fchmodSync, lstatSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { redactFile } from '../journal/redact-file.ts';
import type { Redactor } from '../journal/redaction.ts';
import { openNewFile } from '../kernel/folders/entries-below.ts';
import { holdBelow } from '../kernel/folders/held-folder.ts';
import { openPlainFile } from '../kernel/folders/own-file.ts';
import { Problem } from '../kernel/problem.ts';
import { absentOn } from '../kernel/system-error.ts';
import type { LedgerEntry } from './containment/ledger.ts';
import { closeGap } from './processes/close-gap.ts';
import { commandFiles, runOf } from './run-folder.ts';

/** Redacts everything with the name of a log; only plain files are read. With a text, that replaces each log. */
export async function redactLogs(runFolder: string, redactor: Redactor, instead?: string): Promise<void> {
  const folder = path.join(runFolder, 'services');
  if (!existsSync(folder)) return;
  const held = holdBelow(runFolder, folder);
  try {
    const files = readdirSync(held.self())
      .map((name) => path.join(held.self(), name))
      .filter((file) => instead !== undefined || lstatSync(file, { throwIfNoEntry: false })?.isFile());
    await eachCleaned(files, instead, async (file) => {
      await withoutGap(file);
      await redactFile(file, redactor);
    });
  } finally {
    held.close();
  }
}

async function withoutGap(file: string): Promise<void> {
  await closeGap(file).catch(() => undefined); // what is missing reads as zeros, and hides nothing
}

/** The outputs of commands that ran beside an environment; without a ledger, all files with these names in its run. */
export function placesOfCommands(entries: readonly LedgerEntry[], runFolder?: string): readonly string[] {
  const written = entries.flatMap((entry) => (entry.entry === 'command' ? (entry.files ?? []) : []));
  if (entries.length > 0 || runFolder === undefined) return written;
  return readdirSync(runOf(runFolder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => Object.values(commandFiles).includes(name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** The same for the outputs of a command, also when it created a folder instead of the file. */
export async function redactPlaces(
  places: readonly string[],
  redactor: Redactor,
  instead?: string,
): Promise<void> {
  await eachCleaned(places.flatMap(plainFilesAt), instead, async (file) => {
    await withoutGap(file);
    if (await redactFile(file, redactor)) return;
    const { descriptor } = openPlainFile(file);
    fchmodSync(descriptor, 0o600);
    closeSync(descriptor);
  });
}

/**
 * A log that cannot be redacted is removed, and does not prevent redacting the others: a full disk has no space for a
 * second copy.
 */
async function eachCleaned(
  files: readonly string[],
  instead: string | undefined,
  clean: (file: string) => Promise<unknown>,
): Promise<void> {
  const left: string[] = [];
  for (const file of files) {
    try {
      const note = instead ?? (await clean(file).then(() => undefined, removedBecause));
      if (note !== undefined) replaceBy(file, note);
    } catch (error) {
      left.push(`${path.basename(file)}: ${(error as Error).message}`);
    }
  }
  if (left.length === 0) return;
  throw new Problem({
    code: 'world.not-writable',
    where: 'logs with secrets',
    what: `these could neither be redacted nor removed: ${left.join('; ')}`,
    allowed: 'logs that can be rewritten or removed',
    next: 'inspect these files, and remove them by hand',
  });
}

function removedBecause(error: unknown): string {
  return `(removed: secrets could not be redacted in this log: ${(error as Error).message})\n`;
}

function replaceBy(file: string, note: string): void {
  const descriptor = openNewFile(file);
  try {
    writeFileSync(descriptor, note);
  } catch (error) {
    absentOn('ENOSPC', 'EDQUOT', 'EFBIG')(error); // no space for the reason; what matters is that the log is gone
  } finally {
    closeSync(descriptor);
  }
}

function plainFilesAt(place: string): readonly string[] {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.isFile() ? [place] : [];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
