/** What differs from the last commit, as a hash: two runs of one revision can only be compared when they ran the same. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const withinMs = 2_000;
const mostOutput = 4 * 1024 ** 2;

/** Null when everything is committed; undefined when nobody knows: no git, too many files, or no answer in time. */
export async function uncommittedIn(folder: string): Promise<string | null | undefined> {
  try {
    const root = (await git(folder, ['rev-parse', '--show-toplevel'])).trim();
    const status = await git(folder, [
      'status',
      '--porcelain=v1',
      '-z',
      '--untracked-files=all',
      '--no-renames',
    ]);
    if (status === '') return null;
    const hash = createHash('sha256');
    for (const line of status.split('\0').filter(Boolean)) {
      const { size, mtimeMs } = statSync(path.join(root, line.slice(3)), { throwIfNoEntry: false }) ?? {};
      hash.update(`${line}\0${size}\0${mtimeMs}\0`);
    }
    return hash.digest('hex').slice(0, 16);
  } catch {
    return undefined; // a folder outside of git is as good as any other
  }
}

async function git(cwd: string, args: readonly string[]): Promise<string> {
  const options = { cwd, timeout: withinMs, maxBuffer: mostOutput };
  return (await promisify(execFile)('git', ['--no-optional-locks', ...args], options)).stdout;
}
