/** `sabotage` on a stored run: falsifies one observation at a time, and finds which checks fail. */
import path from 'node:path';
import type { AttemptView } from '../../checks/attempt-view.ts';
import type { TrialName, TrialRecord } from '../../checks/trial-record.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import { defined } from '../../kernel/defined.ts';
import { Problem } from '../../kernel/problem.ts';
import type { FlowReplay } from '../../trials/flow/replay-flow.ts';
import { judgeRun } from '../run/judge-run.ts';
import { readRunPlan } from '../run/run-plan.ts';
import { byWeight, type Counterfactual, type Exposure } from './exposure.ts';
import { examineFlow, type ReplayedChecks } from './replay/examine-flow.ts';
import { collectRunFacts } from './run-facts.ts';
import { type ExaminedCheck, type Subject, sabotageAttempt, subjectOf } from './sabotage-attempt.ts';
import type { EdgeScore } from './unread-calls.ts';

export interface SabotagedTrial extends Omit<TrialName, 'tags' | 'covers'> {
  readonly checks: readonly ExaminedCheck[];
  /** Vital checks of those that could be examined; null without any. */
  readonly score: number | null;
}

export interface Sabotaged {
  readonly run: string;
  /** From 0 to 1. */
  readonly vitality: number;
  readonly checks: number;
  readonly vital: number;
  readonly mutants: number;
  readonly exposures: readonly Exposure[];
  readonly trials: readonly SabotagedTrial[];
  readonly edges: ReturnType<typeof totals>;
  /** Trials that are not judged, and why. */
  readonly notJudged: readonly NotJudged[];
  /** For live sabotage. */
  readonly counterfactual: readonly Counterfactual[];
}

export interface NotJudged {
  readonly trial: string;
  /** `outdated`: the trial has changed, or is gone, since it was performed. */
  readonly code: 'outdated' | 'not-passed' | 'not-performed';
  readonly why: string;
}

export interface SabotageOptions {
  /** Why a trial must not be judged by its journal: it has changed since. */
  readonly whyNot?: (performed: TrialRecord) => string | undefined;
  /** The text of the system's own files, where they are here. */
  readonly sources?: string;
  /** Performs a flow of this suite on its stored answers; undefined for a trial that is not one. */
  readonly replay?: (id: string) => FlowReplay | undefined;
  /** The same trial in an earlier run, unchanged. */
  readonly other?: (id: string) => AttemptView | undefined;
  /** Ids of the current suite: those that were not performed are reported. */
  readonly suite?: ReadonlySet<string>;
}

export async function sabotageRun(folder: string, options: SabotageOptions = {}): Promise<Sabotaged> {
  const { trials, run } = await judgeRun(folder);
  const performed = new Set(readRunPlan(folder).trials.map(({ id }) => id));
  const notJudged: NotJudged[] = [];
  const notPerformed = [...(options.suite ?? [])]
    .filter((id) => !performed.has(id))
    .map((trial) => ({ trial, code: 'not-performed' as const, why: 'it is not in the run' }));
  const subjects: { readonly trial: (typeof trials)[number]; readonly subject: Subject }[] = [];
  for (const trial of trials) {
    const isUsable = trial.verdict === 'passed' && trial.folder !== null;
    const subject = isUsable
      ? subjectOf((await readTrialJournal(path.join(folder, trial.folder ?? ''))).events)
      : undefined;
    const outdated = subject && options.whyNot?.(subject.view.record);
    if (outdated !== undefined) notJudged.push({ trial: trial.id, code: 'outdated', why: outdated });
    else if (subject) subjects.push({ trial, subject });
    else notJudged.push({ trial: trial.id, code: 'not-passed', why: `it is ${trial.verdict}` });
  }
  if (subjects.length === 0)
    throw nothingPassed(folder, notJudged, {
      allowed: 'a run in which at least one trial passed, with trials as they are now',
      command: 'shakedown sabotage',
    });
  const facts = collectRunFacts(
    subjects.map(({ subject }) => subject),
    settingsOf(folder),
    options.sources,
  );
  const examined: ({ trial: (typeof trials)[number] } & ReturnType<typeof sabotageAttempt>)[] = [];
  for (const { trial, subject } of subjects)
    examined.push({
      trial,
      ...sabotageAttempt(subject, facts, await replayed(subject, options), options.other?.(trial.id)),
    });
  const result = examined.map(({ trial: { id, title, file, line }, checks }): SabotagedTrial => {
    const judged = checks.filter(({ vital }) => vital !== null);
    const score = judged.length === 0 ? null : judged.filter(({ vital }) => vital).length / judged.length;
    return defined({ id, title, file, line, checks, score });
  });
  return {
    run,
    ...countChecks(result),
    mutants: result.reduce((sum, { checks }) => sum + checks.reduce((all, one) => all + one.mutants, 0), 0),
    exposures: onceForAllCases(examined.flatMap(({ exposures }) => exposures)).sort(byWeight),
    trials: result,
    edges: totals(examined.flatMap(({ edges }) => edges)),
    notJudged: [...notJudged, ...notPerformed],
    counterfactual: examined.flatMap((one) => one.counterfactual),
  };
}

async function replayed({ view }: Subject, { replay }: SabotageOptions): Promise<ReplayedChecks | undefined> {
  const opened = replay?.(view.record.id);
  try {
    return opened && (await examineFlow(view, opened));
  } finally {
    await opened?.close();
  }
}

function settingsOf(folder: string): unknown {
  const { services, resources } = readRunPlan(folder).system;
  return [services.map(({ env }) => env), resources];
}

/** The cases of a trial share their checks: one that can fail in some case is vital. */
function countChecks(trials: readonly SabotagedTrial[]) {
  const known = new Map<string, boolean>();
  for (const { file, id, checks } of trials)
    for (const { id: check, vital } of checks) {
      if (vital === null) continue;
      const name = `${file} ${withoutCase(id)} ${check}`;
      known.set(name, (known.get(name) ?? false) || vital);
    }
  const vital = [...known.values()].filter(Boolean).length;
  return { vitality: known.size === 0 ? 0 : vital / known.size, checks: known.size, vital };
}

export function withoutCase(id: string): string {
  return id.replace(/\[.*\]$/s, '');
}

/** What one case reads counts as read in the others. */
function onceForAllCases(exposures: readonly Exposure[]): Exposure[] {
  const byName = new Map<string, Exposure>();
  for (const exposure of exposures) {
    const name = `${exposure.file} ${withoutCase(exposure.trial)} ${exposure.source} ${exposure.path}`;
    if (!byName.has(name)) byName.set(name, exposure);
  }
  return [...byName.values()];
}

function totals(edges: readonly EdgeScore[]) {
  return [...Map.groupBy(edges, ({ edge }) => edge)].map(([edge, parts]) => {
    const calls = parts.reduce((sum, part) => sum + part.calls, 0);
    const read = parts.reduce((sum, part) => sum + part.read, 0);
    return { edge, calls, read, score: calls === 0 ? 1 : read / calls };
  });
}

/** The problem of a run without any trial that can be sabotaged. */
export function nothingPassed(
  folder: string,
  leftOut: readonly Readonly<Record<'trial' | 'why', string>>[],
  { allowed, command }: { readonly allowed: string; readonly command: string },
): Problem {
  const [first] = leftOut;
  return new Problem({
    code: 'run.nothing-passed',
    where: folder,
    what: first
      ? `no trial of this run can be sabotaged: ${first.trial}: ${first.why}`
      : 'the run has no trial',
    allowed,
    next: `run again, and sabotage that: shakedown run && ${command}`,
  });
}
