/** The package as users have it: built, in a temporary folder, with the dependencies of this clone. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { makePackage } from '../../scripts/bundle.ts';

export interface BuiltPackage {
  readonly folder: string;
  readonly binary: string;
  /** Where the dependencies really lie. */
  readonly dependencies: string;
  /** This process' own environment, with the `node` of this clone and a temporary folder that nobody else uses. */
  readonly env: NodeJS.ProcessEnv;
  remove(): Promise<void>;
}

const clone = join(import.meta.dirname, '../..');

export async function buildPackage(): Promise<BuiltPackage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bench-package-')));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const dependencies = join(clone, 'node_modules');
  const temporary = join(folder, 'tmp');
  try {
    await chmod(folder, 0o755); // a database server that may not run as root must see into it
    await makePackage(folder);
    await makeTemporaryFolder(temporary);
  } catch (error) {
    await remove();
    throw error;
  }
  const path = [join(dependencies, '.bin'), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, TMPDIR: temporary };
  return { folder, binary: join(folder, 'bin/shakedown.js'), dependencies, env, remove };
}

/**
 * ext4 is slow in making files where many were deleted lately, and a bench deletes many. The flag spreads what is made
 * below, for all contestants alike; other file systems refuse it and do not need it.
 */
async function makeTemporaryFolder(folder: string): Promise<void> {
  await mkdir(folder);
  await chmod(folder, 0o1777);
  await promisify(execFile)('chattr', ['-f', '+T', folder]).catch(() => undefined); // as it is, then
}
