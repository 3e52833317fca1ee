/** Requirements, and the documents that they were taken from, as they were at earlier commits. */
import path from 'node:path';
import type { Git } from '../../system/source/git.ts';
import { requirementsIn } from '../load/load-requirements.ts';
import type { Requirement } from '../requirement.ts';

/** Past versions of files, each read once. */
export interface Past {
  textAt(commit: string, file: string): string | undefined;
  requirementAt(commit: string, requirement: Requirement): Promise<Requirement | 'unreadable' | undefined>;
}

export async function readPast(
  git: Git,
  folder: string,
  asked: readonly Requirement[],
  commits: readonly string[],
): Promise<Past> {
  const declared = [...new Set(asked.map(({ file }) => path.resolve(folder, file)))];
  const linked = [
    ...new Set(asked.flatMap(({ source }) => (source ? [path.resolve(folder, source.file)] : []))),
  ];
  const specOf = (commit: string, file: string): string => `${commit}:${git.known(file)}`;
  const texts = new Map(
    await git.read(commits.flatMap((commit) => [...declared, ...linked].map((file) => specOf(commit, file)))),
  );
  for (const commit of commits)
    for (const file of declared)
      if (!texts.has(specOf(commit, file)))
        await readUnderOldName(git, commit, file, texts, specOf(commit, file));
  const parsed = new Map<string, ReturnType<typeof requirementsIn>>();
  return {
    textAt: (commit, file) => texts.get(specOf(commit, file)),
    requirementAt: async (commit, { id, file }) => {
      const absolute = path.resolve(folder, file);
      const spec = specOf(commit, absolute);
      const text = texts.get(spec);
      if (text === undefined) return undefined;
      const reading = parsed.get(spec) ?? requirementsIn(absolute, text, folder);
      parsed.set(spec, reading);
      const known = await reading;
      return known ? known.find((one) => one.id === id) : 'unreadable';
    },
  };
}

/** A file that has been renamed since is the same file. */
async function readUnderOldName(
  git: Git,
  commit: string,
  file: string,
  texts: Map<string, string>,
  spec: string,
): Promise<void> {
  const changes = await git.ask('diff', '--name-status', '-z', '-M', '--diff-filter=R', commit, '--');
  const words = changes.split('\0');
  const at = words.indexOf(git.known(file));
  const old = at >= 2 && /^R\d*$/.test(words[at - 2] ?? '') ? words[at - 1] : undefined;
  if (old === undefined) return;
  const text = (await git.read([`${commit}:${old}`])).get(`${commit}:${old}`);
  if (text !== undefined) texts.set(spec, text);
}

export interface Touched {
  /** Absolute path to the newest commit that changed it. */
  readonly by: ReadonlyMap<string, Touch>;
  /** Changed or new, and not committed. */
  readonly uncommitted: ReadonlySet<string>;
}

/** `day` is written `2026-02-11`. */
type Touch = Readonly<Record<'commit' | 'day', string>>;

const atOnce = 400;

export async function lastTouched(git: Git, files: readonly string[]): Promise<Touched> {
  const byName = new Map(files.map((file) => [git.known(file), file]));
  const by = new Map<string, Touch>();
  const uncommitted = new Set<string>();
  const names = [...byName.keys()];
  for (let from = 0; from < names.length; from += atOnce) {
    const paths = names.slice(from, from + atOnce).map((name) => `:(top,literal)${name}`);
    const log = await git.ask('log', '--format=%x01%H %cs', '--name-only', '-z', '--', ...paths);
    for (const [name, touch] of newestFirst(log)) {
      const file = byName.get(name);
      if (file !== undefined && !by.has(file)) by.set(file, touch);
    }
    const status = await git.ask('status', '--porcelain', '-z', '--untracked-files=all', '--', ...paths);
    for (const name of namesIn(status)) {
      const file = byName.get(name);
      if (file !== undefined) uncommitted.add(file);
    }
  }
  return { by, uncommitted };
}

function* newestFirst(log: string): Iterable<readonly [name: string, touch: Touch]> {
  for (const entry of log.split('\u0001').slice(1)) {
    const [head = '', ...names] = entry.split('\0');
    const [commit = '', day = ''] = head.trim().split(' ');
    for (const name of names) {
      const trimmed = name.replace(/^\n+/, '');
      if (trimmed !== '') yield [trimmed, { commit, day }];
    }
  }
}

/** `XY name`, and for what was renamed the old name after it. */
function namesIn(status: string): readonly string[] {
  return status
    .split('\0')
    .flatMap((entry) => (/^.. /.test(entry) ? [entry.slice(3)] : entry === '' ? [] : [entry]));
}
