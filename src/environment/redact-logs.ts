/** Takes secrets out of the logs of an environment, when nobody writes to them any more. */
import { closeSync, existsSync, fchmodSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { redactFile } from '../journal/redact-file.ts';
import type { Redactor } from '../journal/redaction.ts';
import { writeFileBelow } from '../kernel/folders/entries-below.ts';
import { holdBelow } from '../kernel/folders/held-folder.ts';
import { openPlainFile } from '../kernel/folders/own-file.ts';
import type { LedgerEntry } from './containment/ledger.ts';
import { closeGap } from './processes/close-gap.ts';

/** Whatever is there under the name of a log; only plain files are looked into. With a text, that takes the place of each. */
export async function redactLogs(runFolder: string, redactor: Redactor, instead?: string): Promise<void> {
  const folder = path.join(runFolder, 'services');
  if (!existsSync(folder)) return;
  const held = holdBelow(runFolder, folder);
  try {
    const files = readdirSync(held.self())
      .map((name) => path.join(held.self(), name))
      .filter((file) => instead !== undefined || lstatSync(file, { throwIfNoEntry: false })?.isFile());
    if (instead === undefined)
      await Promise.all(files.map((file) => closeGap(file).then(() => redactFile(file, redactor))));
    else for (const file of files) writeFileBelow(held.self(), file, instead, 0o600);
  } finally {
    held.close();
  }
}

/** Where commands write that were run beside an environment. */
export function placesOfCommands(entries: readonly LedgerEntry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.entry === 'command' ? (entry.files ?? []) : []));
}

/** The same for what a command wrote, also when it made a folder of what was offered as a file. */
export async function redactPlaces(
  places: readonly string[],
  redactor: Redactor,
  instead?: string,
): Promise<void> {
  for (const file of places.flatMap(plainFilesAt)) {
    if (instead !== undefined) writeFileBelow(path.dirname(file), file, instead, 0o600);
    else if (!(await redactFile(file, redactor))) {
      const { descriptor } = openPlainFile(file);
      fchmodSync(descriptor, 0o600);
      closeSync(descriptor);
    }
  }
}

function plainFilesAt(place: string): readonly string[] {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.isFile() ? [place] : [];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
