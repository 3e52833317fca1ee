/** What git knows of the files around a config: what changed since a revision, and what a file said then. */
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '../../../kernel/problem.ts';
import { errorCode } from '../../../kernel/system-error.ts';
import { slashed } from '../place-of-part.ts';

export interface GitHistory {
  /** Relative to the folder, with `/`: changed, removed or new since the revision, whether committed or not. */
  readonly changed: readonly string[];
  /** The text of a file at the revision; undefined when it was not there. */
  textThen(file: string): Promise<string | undefined>;
}

const withinMs = 30_000;
const mostBytes = 64 * 1024 ** 2;

/** Rejects when that cannot be known: no git, no repository, a revision that is not there. */
export async function openHistory(folder: string, revision: string): Promise<GitHistory> {
  const root = await findRoot(folder);
  const commit = await findCommit(folder, revision);
  const [tracked, untracked] = await Promise.all([
    ask(folder, ['diff', '--name-only', '--no-renames', '-z', commit, '--', ':/']),
    ask(folder, ['ls-files', '--others', '--exclude-standard', '--full-name', '-z', '--', ':/']),
  ]);
  // Git tells real paths, whatever links lead here.
  const here = realpathSync(folder);
  const names = [...tracked.split('\0'), ...untracked.split('\0')].filter((name) => name !== '');
  return {
    changed: names.map((name) => slashed(path.relative(here, path.join(root, name)))),
    textThen: async (file) => {
      const name = slashed(path.join(path.relative(root, here), path.relative(folder, file)));
      const listed = await ask(folder, ['ls-tree', '--name-only', '--full-tree', '-z', commit, '--', name]);
      return listed === '' ? undefined : ask(folder, ['show', `${commit}:${name}`]);
    },
  };
}

async function findRoot(folder: string): Promise<string> {
  try {
    return (await ask(folder, ['rev-parse', '--show-toplevel'])).trimEnd();
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    throw new Problem({
      code: 'git.not-found',
      where: folder,
      what: isMissing ? 'git is not installed' : `git knows no history of this folder: ${saidBy(error)}`,
      allowed: 'a folder inside of a git repository, and `git` on the PATH',
      next: isMissing
        ? 'install git, or lint without --since'
        : 'lint inside of the repository, or without --since',
    });
  }
}

async function findCommit(folder: string, revision: string): Promise<string> {
  try {
    const found = await ask(folder, [
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${revision}^{commit}`,
    ]);
    return found.trim();
  } catch {
    throw await absentRevision(folder, revision);
  }
}

async function absentRevision(folder: string, revision: string): Promise<Problem> {
  const isShallow = (await ask(folder, ['rev-parse', '--is-shallow-repository'])).trim() === 'true';
  if (isShallow)
    return new Problem({
      code: 'git.shallow',
      where: `--since ${revision}`,
      what: 'the history of this clone is cut off, and the revision is not in what is left of it',
      allowed: 'a revision that the clone has, with everything since',
      next: 'fetch the rest: git fetch --unshallow (on GitHub: actions/checkout with fetch-depth: 0)',
    });
  return new Problem({
    code: 'git.unknown-revision',
    where: `--since ${revision}`,
    what: `${JSON.stringify(revision)} is no revision of this repository`,
    allowed: 'a commit, a branch or a tag, such as origin/main or HEAD~1',
    next: 'see what there is: git log --oneline, git branch --all; a branch of the remote may have to be fetched first',
  });
}

async function ask(folder: string, args: readonly string[]): Promise<string> {
  const options = { cwd: folder, timeout: withinMs, maxBuffer: mostBytes };
  const { stdout } = await promisify(execFile)('git', ['--no-optional-locks', ...args], options);
  return stdout;
}

function saidBy(error: unknown): string {
  const { stderr = '', message = '' } = error as { readonly stderr?: string; readonly message?: string };
  return (stderr.trim() || message).split('\n')[0] ?? '';
}
