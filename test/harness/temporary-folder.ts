/** A folder for one test, removed when the test is over. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

export function makeTemporaryFolder(purpose: string): TemporaryFolder {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), `test-${purpose}-`));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) };
}
