/** What changed since a revision: a boundary whose code changed needs a trial and a contract that changed with it. */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { badUsage, Problem } from '../../../kernel/problem.ts';
import { listed } from '../../../requirements/finding.ts';
import type { BoundaryDocument } from '../../../system/document/boundaries-document.ts';
import { type Git, withGit } from '../../../system/source/git.ts';
import type { Trial } from '../../../trials/trial.ts';
import { folderMatcher } from '../matching-globs.ts';
import { type BoundaryRegistry, type Entry, parseBoundaries, trialsOf } from '../registry/registry.ts';
import { applyRules, type Rule } from '../rule.ts';
import type { Suite } from '../suite/suite.ts';

export function lintSince(
  revision: string,
  { system, trials, env }: Pick<Suite, 'system' | 'trials' | 'env'>,
  registry: BoundaryRegistry | undefined,
) {
  if (!registry) throw noRegistry(system.file, revision);
  const fail = (because: string): never => {
    throw noHistory(system.folder, because);
  };
  return withGit(system.folder, env, (git) => lintChanges(git, revision, registry, { system, trials }), fail);
}

async function lintChanges(
  git: Git,
  revision: string,
  registry: BoundaryRegistry,
  { system, trials }: Pick<Suite, 'system' | 'trials'>,
) {
  const commit = await git.commitOf(revision);
  if (commit === undefined) throw git.cutAt.size > 0 ? shallow(revision) : unknownRevision(revision);
  const files = await changedFiles(git, commit, system.folder);
  const then = await entriesThen(git, commit, registry, revision);
  const { boundaries } = registry;
  const changes = boundaries.flatMap((boundary): Change[] => {
    const matchers = (boundary.written.sources ?? []).map(folderMatcher);
    const sources = files.filter((file) => matchers.some((matches) => matches(file)));
    const own = trialsOf(boundary, trials);
    return sources.length === 0 ? [] : [{ boundary, sources, revision, trials: own, files, then }];
  });
  const findings = await Promise.all(changes.map((change) => applyRules(changeRules, change)));
  // Boundaries whose sources changed.
  return { changed: changes.map(({ boundary }) => boundary.id), findings: findings.flat() };
}

/** A boundary whose sources changed. */
interface Change {
  readonly boundary: Entry<BoundaryDocument>;
  readonly sources: readonly string[];
  readonly revision: string;
  /** Those that belong to it. */
  readonly trials: readonly Trial[];
  /** Everything that changed. */
  readonly files: readonly string[];
  /** The entries of the registry at the revision, by id. */
  readonly then: ReadonlyMap<string, unknown>;
}

const changeRules: readonly Rule<Change>[] = [
  {
    kind: 'changed-without-trial',
    level: 'finding',
    why: 'a change at a boundary is untested until a trial says what it must do',
    find: ({ boundary: { id, place }, sources, revision, trials, files }) => {
      const own = [...new Set(trials.map(({ record }) => record.file))];
      if (own.some((file) => files.includes(file))) return [];
      const isAlone = own.length === 0;
      return [
        {
          ...place(),
          text: `\`${id}\` changed since ${revision} (${listed(sources)}), but ${isAlone ? 'no trial belongs to it' : 'none of its trials did'}`,
          next: isAlone
            ? `write one that says \`attacks: { boundary: ${id}, tier: … }\``
            : `cover the change in one of its trials (${listed(own)}), or in a new one`,
        },
      ];
    },
  },
  {
    kind: 'changed-without-note',
    level: 'finding',
    why: 'readers rely on the contract: either update it, or confirm that it still holds',
    next: 'say in `bounded`, `unbounded`, `invalid` or `valid` what is different now, or that nothing is',
    find: ({ boundary: { id, written, place }, sources, revision, then }) =>
      isDeepStrictEqual(then.get(id), written)
        ? [
            {
              ...place(),
              text: `\`${id}\` changed since ${revision} (${listed(sources)}), but its entry in the registry did not`,
            },
          ]
        : [],
  },
];

/** Relative to the folder: changed, removed or new since the commit, whether committed or not. */
async function changedFiles(git: Git, commit: string, folder: string): Promise<readonly string[]> {
  const [tracked, untracked] = await Promise.all([
    git.ask('diff', '--name-only', '--no-renames', '-z', commit, '--', ':/'),
    git.ask('ls-files', '--others', '--exclude-standard', '--full-name', '-z', '--', ':/'),
  ]);
  const names = `${tracked}${untracked}`.split('\0').filter(Boolean);
  return names.map((name) => path.posix.relative(git.known(folder), name));
}

/** None if there was no registry. */
async function entriesThen(
  git: Git,
  commit: string,
  { file }: BoundaryRegistry,
  revision: string,
): Promise<ReadonlyMap<string, unknown>> {
  const [text] = (await git.read([`${commit}:${git.known(file)}`])).values();
  if (text === undefined) return new Map();
  try {
    const { document } = parseBoundaries(file, text);
    return new Map(document.boundaries.map((entry) => [entry.id, entry]));
  } catch (error) {
    throw new Problem({
      code: 'config.syntax',
      where: `${file} at ${revision}`,
      what: `the registry of that revision cannot be read, so changes are not known: ${error instanceof Error ? error.message : String(error)}`,
      allowed: 'a revision whose registry of boundaries is well-formed',
      next: 'compare with a revision in which it is, or lint without --since',
      cause: error,
    });
  }
}

function noRegistry(file: string, revision: string): Problem {
  return badUsage(
    `--since ${revision}`,
    'the config names no registry of boundaries, so changes cannot be compared with one',
    `\`boundaries: shakedown/boundaries.yaml\` in ${file}`,
    'register the boundaries of the system: docs/guides/lint.md',
  );
}

function noHistory(folder: string, because: string): Problem {
  return new Problem({
    code: 'git.not-found',
    where: folder,
    what: `git has no history of this folder: ${because}`,
    allowed: 'a folder inside of a git repository, and `git` on the PATH',
    next: 'install git, lint inside of the repository, or lint without --since',
  });
}

function shallow(revision: string): Problem {
  return new Problem({
    code: 'git.shallow',
    where: `--since ${revision}`,
    what: 'this is a shallow clone, and it does not contain the revision',
    allowed: 'a revision that the clone has, with everything since',
    next: 'fetch the rest: git fetch --unshallow (on GitHub: actions/checkout with fetch-depth: 0)',
  });
}

function unknownRevision(revision: string): Problem {
  return new Problem({
    code: 'git.unknown-revision',
    where: `--since ${revision}`,
    what: `${JSON.stringify(revision)} is not a revision of this repository`,
    allowed: 'a commit, a branch or a tag, such as origin/main or HEAD~1',
    next: 'see what there is: git log --oneline, git branch --all; a branch of the remote may have to be fetched first',
  });
}
