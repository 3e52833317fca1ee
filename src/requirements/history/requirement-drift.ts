/** Which requirements changed, in their text or at their source, after the trials that cover them were touched last. */
import path from 'node:path';
import { baseId } from '../../kernel/base-id.ts';
import { defined } from '../../kernel/defined.ts';
import { type Env, type Git, withGit } from '../../system/source/git.ts';
import { findingOn, listed, nameOf, type RequirementFinding } from '../finding.ts';
import type { NamedGate } from '../gate-findings.ts';
import type { Requirement } from '../requirement.ts';
import { lastTouched, type Past, readPast, type Touched } from './past-requirements.ts';

export interface Drift {
  readonly findings: readonly RequirementFinding[];
  /** Requirements whose drift cannot be determined, and why. */
  readonly undetermined: readonly { readonly ids: readonly string[]; readonly because: string }[];
  /** Those that did not exist when their trials were touched: nothing to compare with. */
  readonly newer: readonly string[];
}

interface DriftQuestion {
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
  const nothing: Drift = { findings: [], undetermined: [], newer: [] };
  if (asked.length === 0) return nothing;
  return withGit(
    question.folder,
    question.env,
    (git) => compareAll(git, question, asked),
    (because) => ({ ...nothing, undetermined: [{ ids, because }] }),
  );
}

async function compareAll(git: Git, question: DriftQuestion, asked: readonly Requirement[]): Promise<Drift> {
  const filesOf = (id: string): readonly string[] => [
    ...new Set((question.covering.get(id) ?? []).map(({ file }) => file)),
  ];
  const touched = await lastTouched(git, [...new Set(asked.flatMap(({ id }) => filesOf(id)))]);
  const past = await readPast(git, question.folder, asked, commitsOf(asked, filesOf, touched, git));
  const findings: RequirementFinding[] = [];
  const newer: string[] = [];
  const undetermined = new Map<string, string[]>();
  for (const requirement of asked) {
    const files = filesOf(requirement.id);
    if (files.some((file) => touched.uncommitted.has(file))) continue;
    const { folder } = question;
    const answers = await Promise.all(
      files.map((file) => compare(requirement, file, { touched, git, past, folder })),
    );
    if (answers.some(({ says }) => says === 'same')) continue;
    const unclear = answers.find(({ says }) => says === 'unknown');
    if (unclear?.because !== undefined)
      undetermined.set(unclear.because, [...(undetermined.get(unclear.because) ?? []), requirement.id]);
    else if (answers.every(({ says }) => says === 'newer')) newer.push(requirement.id);
    else findings.push(drifted(requirement, question, answers));
  }
  return { findings, newer, undetermined: [...undetermined].map(([because, ids]) => ({ ids, because })) };
}

interface Answer {
  readonly says: 'same' | 'other' | 'newer' | 'unknown';
  readonly because?: string;
  /** What differs, and since when. */
  readonly what?: 'text' | 'source';
  readonly day?: string;
}

/** Compares the text when the trial was touched last with the text now. */
async function compare(
  requirement: Requirement,
  trial: string,
  { touched, git, past, folder }: { touched: Touched; git: Git; past: Past; folder: string },
): Promise<Answer> {
  const touch = touched.by.get(trial);
  const shown = path.relative(folder, trial);
  if (!touch) return { says: 'unknown', because: `${shown} is not in git` };
  if (git.cutAt.has(touch.commit))
    return { says: 'unknown', because: 'the history is shallow; fetch all of it: git fetch --unshallow' };
  const then = await past.requirementAt(touch.commit, requirement);
  const unreadable = `${requirement.file} cannot be read as it was at ${touch.commit.slice(0, 9)}`;
  if (then === 'unreadable') return { says: 'unknown', because: unreadable };
  if (then === undefined) return { says: 'newer' };
  if (meaning(then) !== meaning(requirement)) return { says: 'other', what: 'text', day: touch.day };
  if (!requirement.source) return { says: 'same' };
  const { file, section } = requirement.source;
  const { readSource, sectionText } = await import('../markdown/source-section.ts');
  const now = await readSource(path.resolve(folder, file));
  if (now === undefined) return { says: 'same' }; // reported as a lost source
  const before = past.textAt(touch.commit, path.resolve(folder, file));
  if (before === undefined)
    return { says: 'unknown', because: `${file} was not in git yet when ${shown} was touched last` };
  const same = sectionText(before, section, requirement.id) === sectionText(now, section, requirement.id);
  return same ? { says: 'same' } : { says: 'other', what: 'source', day: touch.day };
}

/** Line breaks and spaces do not count as changes. */
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
  const text = `${what} changed after ${trials.join(', ')} ${trials.length === 1 ? 'was' : 'were'} touched last (${days.at(-1)})`;
  const next =
    'read the new text, and change the trial; where it holds as it is, say so in the trial, in a comment';
  return { ...findingOn(requirement, 'drifted', text, next), ...defined({ trial: trials[0] }) };
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

/** Where drift cannot be determined, a gate that requires it fails. */
export function driftFindings(
  { findings, undetermined }: Drift,
  gate: Pick<NamedGate, 'name' | 'drift'> | undefined,
): readonly RequirementFinding[] {
  if (gate?.drift !== 'fail') return findings;
  const unknown = undetermined.map(
    ({ ids, because }): RequirementFinding => ({
      kind: 'history-unknown',
      text: `the gate ${gate.name} checks whether requirements drifted, which cannot be determined for ${listed(ids)}: ${because}`,
      next: 'run it where the whole history is available, or write `drift: warn` in the gate',
    }),
  );
  return [...findings, ...unknown];
}
