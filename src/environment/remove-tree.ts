/** Removes a folder with all that is in it, also where a program took away its own right to do so. */
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { absentOn, errorCode } from '../kernel/system-error.ts';

/** `last` is removed after everything else, so that a crash in the middle leaves it to be found. */
export async function removeTree(folder: string, last?: string): Promise<void> {
  const names = (await readdir(folder).catch(absentOn('ENOENT'))) ?? [];
  await Promise.all(
    names.filter((name) => name !== last).map((name) => removeStubborn(path.join(folder, name))),
  );
  await removeStubborn(folder);
}

async function removeStubborn(target: string): Promise<void> {
  try {
    await rm(target, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (errorCode(error) !== 'EACCES' && errorCode(error) !== 'EPERM') throw error;
    await openUp(target);
    await rm(target, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Makes every folder below ours to change again; symbolic links are not followed. */
async function openUp(target: string): Promise<void> {
  if (!(await lstat(target)).isDirectory()) return;
  await chmod(target, 0o700);
  for (const name of await readdir(target)) await openUp(path.join(target, name));
}
