/** Reads the suite as it was at a revision, through git and without a checkout, and says what was lost since. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Problem, Problems } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';
import type { System } from '../../system/system.ts';
import type { RequirementFinding } from '../finding.ts';
import { readRequirements, usualFile } from '../load-requirements.ts';
import type { Requirement } from '../requirement.ts';
import { declaredPatterns } from './declared-patterns.ts';
import { type Env, type Git, GitFault, openGit } from './git.ts';
import { type Declared, lostSince } from './lost-since.ts';
import { suiteOutline } from './suite-outline.ts';

export interface Comparison {
  readonly findings: readonly RequirementFinding[];
  /** What else must be known to read them rightly. */
  readonly notes: readonly string[];
}

export interface Today {
  readonly system: System;
  readonly requirements: readonly Requirement[];
  /** Absolute, of every trial. */
  readonly trialFiles: readonly string[];
}

export async function compareWithRevision(revision: string, today: Today, env: Env): Promise<Comparison> {
  const git = await openGit(today.system.folder, env);
  if ('because' in git) throw noHistory(revision, git.because);
  try {
    const commit = await commitOf(git, revision);
    return await compareAt(git, commit, revision, today);
  } catch (error) {
    if (error instanceof GitFault) throw noHistory(revision, error.message);
    throw error;
  }
}

async function commitOf(git: Git, revision: string): Promise<string> {
  if (revision.startsWith('-')) throw noHistory(revision, 'a revision does not begin with a dash');
  try {
    return (await git.ask('rev-parse', '--verify', `${revision}^{commit}`)).trim();
  } catch (error) {
    if (!(error instanceof GitFault)) throw error;
    const shallow = git.cutAt.size > 0 ? '; the history is shallow: git fetch --unshallow' : '';
    throw noHistory(revision, `git knows no such revision${shallow}`);
  }
}

async function compareAt(git: Git, commit: string, revision: string, today: Today): Promise<Comparison> {
  const { folder } = today.system;
  const listing = await git.ask('ls-tree', '-r', '-z', '--name-only', commit, '--', '.');
  const files = listing.split('\0').filter(Boolean);
  const texts = await textsAt(git, commit, files, folder);
  const patterns = declaredPatterns(today.system, (file) => texts.get(path.resolve(folder, file)));
  const fits = (globs: readonly string[]) => (file: string) =>
    globs.some((glob) => path.matchesGlob(file, path.posix.normalize(glob)));
  const trialFiles = files.filter(fits(patterns.trials)).filter(isTrialFile).map(absolute(folder));
  const requirementFiles = files.filter(fits(patterns.requirements ?? [usualFile])).map(absolute(folder));
  const past = suiteOutline(trialFiles, (file) => texts.get(file));
  const then = requirementFiles.map((file) => ({ file, read: parse(file, texts.get(file) ?? '', folder) }));
  const present = suiteOutline(today.trialFiles, readHere);
  const relative = (outline: typeof past): Declared['trials'] =>
    outline.trials.map((trial) => ({ ...trial, file: path.relative(folder, trial.file) }));
  const before: Declared = { requirements: then.flatMap(({ read }) => read ?? []), trials: relative(past) };
  const broken = [
    ...past.unreadable,
    ...then.flatMap(({ file, read }) => (read === undefined ? [file] : [])),
  ];
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

function absolute(folder: string): (file: string) => string {
  return (file) => path.resolve(folder, file);
}

function readHere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function parse(file: string, text: string, folder: string): readonly Requirement[] | undefined {
  try {
    return readRequirements(file, text, folder).placed.map(({ requirement }) => requirement);
  } catch (error) {
    if (error instanceof Problem || error instanceof Problems) return undefined;
    throw error;
  }
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
