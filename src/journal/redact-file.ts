/** Removes secrets from a file that another program wrote, such as a service's own log. */
import { createReadStream } from 'node:fs';
import { rewriteFile } from '../kernel/folders/entries-below.ts';
import { openPlainFile } from '../kernel/folders/own-file.ts';
import type { Redactor } from './redaction.ts';

/** Rewrites the file only when it holds a secret; says whether it did. */
export async function redactFile(file: string, redactor: Redactor): Promise<boolean> {
  if (!(await holdsSecret(file, redactor))) return false;
  await rewriteFile(file, cleanBytes(file, redactor));
  return true;
}

async function* cleanBytes(file: string, redactor: Redactor): AsyncGenerator<Buffer> {
  for await (const piece of redactedPieces(file, redactor)) yield Buffer.from(piece.bytes, 'latin1');
}

export async function holdsSecret(
  file: string,
  redactor: Redactor,
  links: 'refused' | 'followed' = 'refused',
): Promise<boolean> {
  if (!redactor.hasSecrets) return false;
  for await (const piece of redactedPieces(file, redactor, links)) if (piece.changed) return true;
  return false;
}

/** The file without its secrets, in pieces cut where no secret is straddled; latin1 keeps every byte as it is. */
async function* redactedPieces(
  file: string,
  redactor: Redactor,
  links: 'refused' | 'followed' = 'refused',
): AsyncGenerator<{ bytes: string; changed: boolean }> {
  let kept = '';
  for await (const chunk of createReadStream(file, {
    // A link may have been put in its place.
    fd: openPlainFile(file, links).descriptor,
    encoding: 'latin1',
    highWaterMark: 1024 * 1024,
  })) {
    const before = kept + (chunk as string);
    const { clean, rest } = redactor.redactBeginning(before);
    yield {
      bytes: clean,
      changed: clean.length + rest.length !== before.length || !before.startsWith(clean),
    };
    kept = rest;
  }
  const last = redactor.redactBytes(kept);
  yield { bytes: last, changed: last !== kept };
}
