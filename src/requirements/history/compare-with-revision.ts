/** Reads the suite as it was at a revision, through git and without a checkout, and says what was lost since. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Problem } from '../../kernel/problem.ts';
import { type Env, type Git, withGit } from '../../system/source/git.ts';
import type { System } from '../../system/system.ts';
import type { RequirementFinding } from '../finding.ts';
import { requirementsIn, usualFile } from '../load/load-requirements.ts';
import type { Requirement } from '../requirement.ts';
import { type Declared, lostSince } from './lost-since.ts';
import { declaredPatterns, suiteOutline } from './suite-outline.ts';

interface Today {
  readonly system: System;
  readonly requirements: readonly Requirement[];
  /** Absolute, of every trial. */
  readonly trialFiles: readonly string[];
}

export function compareWithRevision(revision: string, today: Today, env: Env) {
  const fail = (because: string): never => {
    throw noHistory(revision, because);
  };
  return withGit(today.system.folder, env, (git) => compareAt(git, revision, today), fail);
}

async function compareAt(git: Git, revision: string, today: Today) {
  const { folder } = today.system;
  const commit = await git.commitOf(revision);
  const shallow = git.cutAt.size > 0 ? '; the history is shallow: git fetch --unshallow' : '';
  if (commit === undefined) throw noHistory(revision, `git knows no such revision${shallow}`);
  const listing = await git.ask('ls-tree', '-r', '-z', '--name-only', commit, '--', '.');
  const files = listing.split('\0').filter(Boolean);
  const texts = await textsAt(git, commit, files, folder);
  const patterns = declaredPatterns(today.system, (file) => texts.get(path.resolve(folder, file)));
  const fits = (globs: readonly string[]) => (file: string) =>
    globs.some((glob) => path.matchesGlob(file, path.posix.normalize(glob)));
  const absolute = (file: string): string => path.resolve(folder, file);
  const trialFiles = files.filter(fits(patterns.trials)).filter(isTrialFile).map(absolute);
  const requirementFiles = files.filter(fits(patterns.requirements ?? [usualFile])).map(absolute);
  const past = suiteOutline(trialFiles, (file) => texts.get(file));
  const then = await Promise.all(
    requirementFiles.map(async (file) => ({
      file,
      read: await requirementsIn(file, texts.get(file) ?? '', folder),
    })),
  );
  const present = suiteOutline(today.trialFiles, (file) =>
    existsSync(file) ? readFileSync(file, 'utf8') : undefined,
  );
  const relative = (outline: typeof past): Declared['trials'] =>
    outline.trials.map((trial) => ({ ...trial, file: path.relative(folder, trial.file) }));
  const before: Declared = { requirements: then.flatMap(({ read }) => read ?? []), trials: relative(past) };
  const broken = [...past.unreadable, ...then.filter(({ read }) => !read).map(({ file }) => file)];
  return {
    findings: [
      ...lostSince(revision, before, { requirements: today.requirements, trials: relative(present) }),
      ...broken.map((file) => unreadable(revision, path.relative(folder, file))),
    ],
    notes: [
      ...patterns.notes,
      ...(before.trials.length + before.requirements.length === 0
        ? [`at ${revision} there was no trial and no requirement below this folder: nothing can be lost`]
        : []),
    ],
  };
}

/** Only what may be part of a suite; a repository may hold much else. */
async function textsAt(
  git: Git,
  commit: string,
  files: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const wanted = files.filter(
    (file) => isTrialFile(file) || /\.(?:ya?ml|md|markdown)$|^shakedown\.config\.\w+$/i.test(file),
  );
  const specs = new Map(wanted.map((file) => [`${commit}:${git.known(path.resolve(folder, file))}`, file]));
  const read = await git.read([...specs.keys()]);
  return new Map([...read].map(([spec, text]) => [path.resolve(folder, specs.get(spec) ?? ''), text]));
}

function isTrialFile(file: string): boolean {
  return /\.trial\.ya?ml$|\.flow\.m?[jt]s$/.test(file);
}

function unreadable(revision: string, file: string): RequirementFinding {
  return {
    kind: 'unreadable-revision',
    file,
    text: `${file} cannot be read as it was at ${revision}; what it declared may be lost`,
    next: 'compare with a revision at which it can be read',
  };
}

function noHistory(revision: string, because: string): Problem {
  return new Problem({
    code: 'requirement.no-history',
    where: 'shakedown coverage --against',
    what: `nothing can be compared with ${JSON.stringify(revision)}: ${because}`,
    allowed: 'a revision that git knows here: a commit, a tag, a branch such as origin/main',
    next: 'see what there is: git log --oneline',
  });
}
