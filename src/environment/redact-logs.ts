/** Takes secrets out of the logs of an environment, when nobody writes to them any more. */
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { redactFile } from '../journal/redact-file.ts';
import type { Redactor } from '../journal/redaction.ts';
import { writeFileBelow } from '../kernel/folders/entries-below.ts';
import { holdBelow } from '../kernel/folders/held-folder.ts';
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
