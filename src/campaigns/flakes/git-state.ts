/** Which code was run: the revision, and a hash of uncommitted changes, because only runs of the same code can be compared. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { askGit } from '../../system/source/git.ts';

/** Null where there is no git, or no commit yet. */
export async function revisionOf(folder: string): Promise<string | null> {
  try {
    return (await askGit(folder, 'rev-parse', 'HEAD')).trim();
  } catch {
    return null; // a folder outside of git is fine
  }
}

/** Null when everything is committed; undefined when unknown: no git, too many files, or no answer in time. */
export async function uncommittedIn(folder: string): Promise<string | null | undefined> {
  try {
    const root = (await askGit(folder, 'rev-parse', '--show-toplevel')).trim();
    const how = ['--porcelain=v1', '-z', '--untracked-files=all', '--no-renames'];
    const status = await askGit(folder, 'status', ...how);
    if (status === '') return null;
    const hash = createHash('sha256');
    for (const line of status.split('\0').filter(Boolean)) {
      const { size, mtimeMs } = statSync(path.join(root, line.slice(3)), { throwIfNoEntry: false }) ?? {};
      hash.update(`${line}\0${size}\0${mtimeMs}\0`);
    }
    return hash.digest('hex').slice(0, 16);
  } catch {
    return undefined; // a folder outside of git is fine
  }
}
