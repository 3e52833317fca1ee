/** Takes secrets out of a file that somebody else wrote, such as a service's own log. */
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { Redactor } from './redaction.ts';

/** Rewrites the file only when it holds a secret; says whether it did. */
export async function redactFile(file: string, redactor: Redactor): Promise<boolean> {
  if (redactor.longestBytes === 0 || !(await holdsSecret(file, redactor))) return false;
  const clean = `${file}.redacted`;
  const output = await open(clean, 'w', 0o600);
  try {
    for await (const piece of redactedPieces(file, redactor)) await output.write(piece.bytes, null, 'latin1');
    await rename(clean, file);
  } finally {
    await output.close();
    await rm(clean, { force: true });
  }
  return true;
}

async function holdsSecret(file: string, redactor: Redactor): Promise<boolean> {
  for await (const piece of redactedPieces(file, redactor)) if (piece.changed) return true;
  return false;
}

/** The file without its secrets, in pieces cut where no secret is straddled; latin1 keeps every byte as it is. */
async function* redactedPieces(
  file: string,
  redactor: Redactor,
): AsyncGenerator<{ bytes: string; changed: boolean }> {
  let kept = '';
  for await (const chunk of createReadStream(file, { encoding: 'latin1', highWaterMark: 256 * 1024 })) {
    const before = kept + (chunk as string);
    const after = redactor.redactBytes(before);
    const cut = Math.max(0, after.length - redactor.longestBytes + 1);
    yield { bytes: after.slice(0, cut), changed: after !== before };
    kept = after.slice(cut);
  }
  yield { bytes: kept, changed: false };
}
