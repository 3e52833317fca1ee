/** Which requirements changed, in their text or at their source, after the trials that cover them were touched last. */
import path from 'node:path';
import { baseId } from '../covering.ts';
import type { RequirementFinding } from '../finding.ts';
import type { Requirement } from '../requirement.ts';
import { readSource, sectionText } from '../source-section.ts';
import { nameOf, placeOf } from '../static-findings.ts';
import { type Env, type Git, GitFault, openGit } from './git.ts';
import { lastTouched, type Touched } from './last-touched.ts';
import { type Past, readPast } from './past-requirements.ts';

export interface Drift {
  readonly findings: readonly RequirementFinding[];
  /** Requirements of which nobody can tell, and why. */
  readonly untold: readonly { readonly ids: readonly string[]; readonly because: string }[];
  /** Those that were not there yet when their trials were touched: nothing to compare with. */
  readonly newer: readonly string[];
}

export interface DriftQuestion {
  /** Of the config. */
  readonly folder: string;
  readonly requirements: readonly Requirement[];
  /** Requirement to the trials that cover it; `file` is absolute. */
  readonly covering: ReadonlyMap<string, ReadonlyArray<{ readonly id: string; readonly file: string }>>;
  readonly env: Env;
}

export async function findDrift(question: DriftQuestion): Promise<Drift> {
  const asked = question.requirements.filter(({ id }) => question.covering.has(id));
  const ids = asked.map(({ id }) => id);
  const nothing: Drift = { findings: [], untold: [], newer: [] };
  if (asked.length === 0) return nothing;
  const git = await openGit(question.folder, question.env);
  if ('because' in git) return { ...nothing, untold: [{ ids, because: git.because }] };
  try {
    return await compareAll(git, question, asked);
  } catch (error) {
    if (error instanceof GitFault) return { ...nothing, untold: [{ ids, because: error.message }] };
    throw error;
  }
}

async function compareAll(git: Git, question: DriftQuestion, asked: readonly Requirement[]): Promise<Drift> {
  const filesOf = (id: string): readonly string[] => [
    ...new Set((question.covering.get(id) ?? []).map(({ file }) => file)),
  ];
  const touched = await lastTouched(git, [...new Set(asked.flatMap(({ id }) => filesOf(id)))]);
  const past = await readPast(git, question.folder, asked, commitsOf(asked, filesOf, touched, git));
  const findings: RequirementFinding[] = [];
  const newer: string[] = [];
  const untold = new Map<string, string[]>();
  for (const requirement of asked) {
    const files = filesOf(requirement.id);
    if (files.some((file) => touched.uncommitted.has(file))) continue;
    const answers = await Promise.all(
      files.map((file) => compare(requirement, file, touched, git, past, question.folder)),
    );
    if (answers.some(({ says }) => says === 'same')) continue;
    const unclear = answers.find(({ says }) => says === 'untold');
    if (unclear?.because !== undefined)
      untold.set(unclear.because, [...(untold.get(unclear.because) ?? []), requirement.id]);
    else if (answers.every(({ says }) => says === 'newer')) newer.push(requirement.id);
    else findings.push(drifted(requirement, question, answers));
  }
  return { findings, newer, untold: [...untold].map(([because, ids]) => ({ ids, because })) };
}

interface Answer {
  readonly says: 'same' | 'other' | 'newer' | 'untold';
  readonly because?: string;
  /** What differs, and since when. */
  readonly what?: 'text' | 'source';
  readonly day?: string;
}

/** What it was when the trial was touched last, against what it is now. */
async function compare(
  requirement: Requirement,
  trial: string,
  touched: Touched,
  git: Git,
  past: Past,
  folder: string,
): Promise<Answer> {
  const touch = touched.by.get(trial);
  const shown = path.relative(folder, trial);
  if (!touch) return { says: 'untold', because: `${shown} is not in git` };
  if (git.cutAt.has(touch.commit))
    return { says: 'untold', because: 'the history is shallow; fetch all of it: git fetch --unshallow' };
  const then = past.requirementAt(touch.commit, requirement);
  if (then === 'unreadable')
    return {
      says: 'untold',
      because: `${requirement.file} cannot be read as it was at ${touch.commit.slice(0, 9)}`,
    };
  if (then === undefined) return { says: 'newer' };
  if (meaning(then) !== meaning(requirement)) return { says: 'other', what: 'text', day: touch.day };
  if (!requirement.source) return { says: 'same' };
  const { file, section } = requirement.source;
  const now = await readSource(path.resolve(folder, file));
  if (now === undefined) return { says: 'same' }; // told as a source that is lost
  const before = past.textAt(touch.commit, path.resolve(folder, file));
  if (before === undefined)
    return { says: 'untold', because: `${file} was not in git yet when ${shown} was touched last` };
  const same = sectionText(before, section, requirement.id) === sectionText(now, section, requirement.id);
  return same ? { says: 'same' } : { says: 'other', what: 'source', day: touch.day };
}

/** Line breaks and spaces are no meaning. */
function meaning({ title, text }: Requirement): string {
  return `${title ?? ''}\n${text}`.replaceAll(/[^\S\n]+|\n+/g, ' ').trim();
}

function drifted(
  requirement: Requirement,
  { covering }: DriftQuestion,
  answers: readonly Answer[],
): RequirementFinding {
  const trials = [...new Set((covering.get(requirement.id) ?? []).map(({ id }) => baseId(id)))];
  const changed = answers.find(({ says }) => says === 'other');
  const { source } = requirement;
  const what =
    changed?.what === 'source'
      ? `the section that ${nameOf(requirement)} was taken from (${source?.file}${source?.section === undefined ? '' : `#${source.section}`})`
      : `the text of ${nameOf(requirement)}`;
  const days = answers.flatMap(({ day }) => day ?? []).sort();
  return {
    kind: 'drifted',
    ...placeOf(requirement),
    ...(trials[0] === undefined ? {} : { trial: trials[0] }),
    text: `${what} changed after ${trials.join(', ')} ${trials.length === 1 ? 'was' : 'were'} touched last (${days.at(-1)})`,
    next: 'read the new text, and change the trial; where it holds as it is, say so in the trial, in a comment',
  };
}

function commitsOf(
  asked: readonly Requirement[],
  filesOf: (id: string) => readonly string[],
  { by }: Touched,
  { cutAt }: Git,
): readonly string[] {
  const commits = asked.flatMap(({ id }) => filesOf(id).flatMap((file) => by.get(file)?.commit ?? []));
  return [...new Set(commits)].filter((commit) => !cutAt.has(commit));
}
