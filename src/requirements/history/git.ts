/** Reads a git repository through the program `git`: nothing is checked out, nothing is written. */
import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { absentOn, errorCode } from '../../kernel/system-error.ts';
import { withStreams } from '../../kernel/with-streams.ts';
import { requirementLimits } from '../requirement.ts';

export interface Git {
  /** Absolute path to the path that git knows it by. */
  known(file: string): string;
  /** What the command prints; throws a `GitFault` when it fails. */
  ask(...args: readonly string[]): Promise<string>;
  /** The files of a revision, many at once: `REV:PATH` to the text, without those that were not there. */
  read(specs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Commits at which the history was cut off; empty where it is whole. */
  readonly cutAt: ReadonlySet<string>;
}

/** Why git could not answer, as it said it. */
export class GitFault extends Error {}

export type Env = Readonly<Record<string, string | undefined>>;

/** The repository around a folder, or why there is none. */
export async function openGit(folder: string, env: Env): Promise<Git | { readonly because: string }> {
  const ask = asker(folder, plain(env));
  try {
    const prefix = (await ask('rev-parse', '--show-prefix')).trimEnd();
    await ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
    return {
      ask,
      known: (file) => path.posix.normalize(path.posix.join(prefix, path.relative(folder, file))),
      read: (specs) => readBlobs(folder, plain(env), specs),
      cutAt: await cutsOf(folder, ask),
    };
  } catch (error) {
    if (error instanceof GitFault) return { because: error.message };
    throw error;
  }
}

/** A hook of git tells its children about another repository; ours is the one around the folder. */
function plain(env: Env): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !/^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX)$/.test(name));
  return { ...Object.fromEntries(own), LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' };
}

function asker(cwd: string, env: NodeJS.ProcessEnv): Git['ask'] {
  return async (...args) => {
    try {
      const { stdout } = await promisify(execFile)('git', ['-c', 'core.quotepath=off', ...args], {
        cwd,
        env,
        timeout: requirementLimits.gitMs,
        maxBuffer: requirementLimits.gitBytes,
      });
      return stdout;
    } catch (error) {
      throw new GitFault(reasonOf(error, args));
    }
  };
}

function reasonOf(error: unknown, [verb, ...rest]: readonly string[]): string {
  if (errorCode(error) === 'ENOENT') return 'git is not installed here';
  const { stderr = '', killed } = error as { stderr?: string; killed?: boolean };
  if (killed) return `git ${verb} took longer than ${requirementLimits.gitMs / 1_000} s, or said too much`;
  const said =
    stderr
      .trim()
      .split('\n')[0]
      ?.replace(/^fatal: /, '') ?? '';
  if (/not a git repository/.test(said)) return 'this folder is in no git repository';
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
        timeout: requirementLimits.gitMs,
      }),
    );
    const parts: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > requirementLimits.gitBytes) child.kill();
      else parts.push(part);
    });
    child.on('error', (error) => reject(new GitFault(reasonOf(error, ['cat-file']))));
    child.stdin.on('error', (error) => reject(new GitFault(reasonOf(error, ['cat-file']))));
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(parts));
      else reject(new GitFault('git cat-file did not come to its end, or said too much'));
    });
    child.stdin.end(input);
  });
}

/** One answer for each question, in order: a line that says how long it is, and the text. */
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
