/** Reads a git repository through the program `git`: nothing is checked out, nothing is written. */
import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { absentOn, errorCode } from '../../kernel/system-error.ts';
import { withStreams } from '../../kernel/with-streams.ts';

export interface Git {
  /** Maps an absolute path to its path in git. */
  known(file: string): string;
  /** What the command prints; throws a `GitFault` when it fails. */
  ask(...args: readonly string[]): Promise<string>;
  /** Undefined if it is not a revision of this repository. */
  commitOf(revision: string): Promise<string | undefined>;
  /** The files of a revision, many at once: `REV:PATH` to the text, without those that did not exist. */
  read(specs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Commits at which the history is cut off; empty where it is complete. */
  readonly cutAt: ReadonlySet<string>;
}

/** Why git failed, in its own words. */
class GitFault extends Error {}

export type Env = Readonly<Record<string, string | undefined>>;

const run = promisify(execFile);
const withinMs = 20_000;
const mostBytes = 64 * 1024 ** 2;

/** What a command prints, for a question that must not hold up a run; throws when there is no answer in time. */
export async function askGit(cwd: string, ...args: readonly string[]): Promise<string> {
  return (
    await run('git', ['--no-optional-locks', ...args], { cwd, timeout: 2_000, maxBuffer: 4 * 1024 ** 2 })
  ).stdout;
}

/** Looks into the repository around a folder; where there is none, or git fails, `without` gets the reason. */
export async function withGit<Result>(
  folder: string,
  env: Env,
  look: (git: Git) => Promise<Result>,
  without: (because: string) => Result,
): Promise<Result> {
  try {
    return await look(await openGit(folder, env));
  } catch (error) {
    if (error instanceof GitFault) return without(error.message);
    throw error;
  }
}

async function openGit(folder: string, env: Env): Promise<Git> {
  const ask = asker(folder, plain(env));
  const prefix = (await ask('rev-parse', '--show-prefix')).trimEnd();
  await ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  return {
    ask,
    known: (file) => path.posix.normalize(path.posix.join(prefix, path.relative(folder, file))),
    commitOf: async (revision) => {
      const words = ['--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
      const found = await ask('rev-parse', ...words).catch(ifGitFailed);
      return found?.trim();
    },
    read: (specs) => readBlobs(folder, plain(env), specs),
    cutAt: await cutsOf(folder, ask),
  };
}

function ifGitFailed(error: unknown): undefined {
  if (!(error instanceof GitFault)) throw error;
}

/** A git hook sets variables for another repository; ours is the one around the folder. */
function plain(env: Env): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX)$/.test(name));
  return { ...Object.fromEntries(own), LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' };
}

function asker(cwd: string, env: NodeJS.ProcessEnv): Git['ask'] {
  return async (...args) => {
    try {
      const options = { cwd, env, timeout: withinMs, maxBuffer: mostBytes };
      return (await run('git', ['-c', 'core.quotepath=off', ...args], options)).stdout;
    } catch (error) {
      throw new GitFault(reasonOf(error, args));
    }
  };
}

function reasonOf(error: unknown, [verb, ...rest]: readonly string[]): string {
  if (errorCode(error) === 'ENOENT') return 'git is not installed here';
  const { stderr = '', killed } = error as { stderr?: string; killed?: boolean };
  if (killed) return `git ${verb} took longer than ${withinMs / 1_000} s, or printed too much`;
  const said =
    stderr
      .trim()
      .split('\n')[0]
      ?.replace(/^fatal: /, '') ?? '';
  if (/not a git repository/.test(said)) return 'this folder is not in a git repository';
  if (said === '' && rest.includes('HEAD^{commit}')) return 'there is no commit yet';
  return said === '' ? `git ${verb} failed` : `git says: ${said}`;
}

/** Git keeps them in a file of its own. */
async function cutsOf(folder: string, ask: Git['ask']): Promise<ReadonlySet<string>> {
  const file = path.resolve(folder, (await ask('rev-parse', '--git-path', 'shallow')).trimEnd());
  const cuts = (await readFile(file, 'utf8').catch(absentOn('ENOENT'))) ?? '';
  return new Set(cuts.split('\n').filter(Boolean));
}

async function readBlobs(
  cwd: string,
  env: NodeJS.ProcessEnv,
  specs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const asked = [...new Set(specs)].filter((spec) => !spec.includes('\n'));
  if (asked.length === 0) return new Map();
  return splitBatch(await feed(cwd, env, `${asked.join('\n')}\n`), asked);
}

function feed(cwd: string, env: NodeJS.ProcessEnv, input: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = withStreams(
      spawn('git', ['cat-file', '--batch'], {
        cwd,
        env,
        stdio: ['pipe', 'pipe', 'ignore'],
        timeout: withinMs,
      }),
    );
    const parts: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > mostBytes) child.kill();
      else parts.push(part);
    });
    child.on('error', (error) => reject(new GitFault(reasonOf(error, ['cat-file']))));
    child.stdin.on('error', (error) => reject(new GitFault(reasonOf(error, ['cat-file']))));
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(parts));
      else reject(new GitFault('git cat-file did not finish, or printed too much'));
    });
    child.stdin.end(input);
  });
}

/** One answer for each request, in order: a line with its length, and the text. */
function splitBatch(bytes: Buffer, asked: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let at = 0;
  for (const spec of asked) {
    const end = bytes.indexOf(10, at);
    if (end < 0) break;
    const [, kind, size] = /^\S+ (\S+) (\d+)$/.exec(bytes.toString('utf8', at, end)) ?? [];
    at = end + 1;
    if (kind === undefined) continue;
    if (kind === 'blob') found.set(spec, bytes.toString('utf8', at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}
