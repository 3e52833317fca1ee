/** Performs the planned trials, one at a time in each of several environments, and leaves a journal of every attempt. */
import path from 'node:path';
import { judge } from '../../checks/judge/judge-attempt.ts';
import { worldProblem } from '../../environment/processes/world-problem.ts';
import { journalVersion } from '../../journal/event.ts';
import type { TrialJournalHeader } from '../../journal/trial-event.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import { makeFolderBelow } from '../../kernel/folders/entries-below.ts';
import { type Problem, type ProblemData, problemsIn, problemToData } from '../../kernel/problem.ts';
import { createRandom } from '../../kernel/random.ts';
import type { Isolation } from '../../system/system.ts';
import { type Ending, type Performed, perform } from '../../trials/attempt/perform.ts';
import type { LiveEnvironment } from '../../trials/perform/live-environment.ts';
import type { Trial } from '../../trials/trial.ts';
import { type Loan, openBudgetAccount } from './budget-account.ts';
import type { EnvironmentHolder, EnvironmentSource } from './environment-holder.ts';
import { trialFolder } from './read-attempt.ts';
import type { RunIdentity, RunOutcome, RunPlan } from './run-plan.ts';
import type { Task } from './task-queue.ts';
import { workInEnvironments } from './work-in-environments.ts';

export interface RunOptions {
  readonly plan: RunPlan;
  readonly folder: string;
  /** In the order of the plan. */
  readonly trials: readonly Trial[];
  /** How many environments at once. */
  readonly parallel: number;
  readonly environments: EnvironmentSource;
  readonly clock: { monotonic(): number; now(): number };
  /** Aborted when the caller is interrupted. */
  readonly signal: AbortSignal;
  readonly listener: RunListener;
}

export interface RunListener {
  trialStarted(trial: Trial, attempt: number): void;
  /** `stop`: nothing more is started. */
  trialEnded(trial: Trial, attempt: number, ending: Ending, folder: string): Promise<'go-on' | 'stop'>;
  /** A step failed; the environment is held until this resolves, and nothing more is started. */
  stepFailed?(trial: Trial, step: string, environment: LiveEnvironment, folder: string): Promise<void>;
  /** All steps were done and a check failed; the environment is held likewise. */
  checksFailed?(trial: Trial, failed: string, environment: LiveEnvironment): Promise<void>;
}

interface Work {
  readonly trial: Trial;
  readonly attempt: number;
  readonly isolation: Isolation;
}

export async function runTrials(options: RunOptions): Promise<RunOutcome> {
  const startedAt = options.clock.monotonic();
  const workers = Math.min(options.parallel, Math.max(1, options.trials.length));
  const account = openBudgetAccount(options.plan.system, workers);
  const bugs: Problem[] = [];
  let stopped: 'failure' | 'budget' | undefined;
  const { problems, endProblems, leaks } = await workInEnvironments<Work>({
    tasks: tasksOf(options),
    workers,
    environments: options.environments,
    ends: [options.signal],
    perform: async (work, holder) => {
      const environment = await holder.prepare(work.isolation);
      if (options.signal.aborted) return 'stop';
      const loan = account.lend(work.trial.budget);
      if (loan === 'spent') {
        stopped ??= 'budget';
        return 'stop';
      }
      try {
        const next = await performOne(options, work, environment, holder, loan);
        if (next === 'stop') stopped ??= 'failure';
        return next;
      } catch (error) {
        // An internal error affects only this attempt; it is reported, and the others go on in a new environment.
        const place = path.join(options.folder, trialFolder(work.trial.record.id, work.attempt));
        bugs.push(...problemsIn(worldProblem(error, place)));
        await holder.used(true);
        return 'go-on';
      }
    },
  });
  return {
    problems: withoutRepeats([...bugs, ...problems, ...endProblems]),
    leaks,
    ...(stopped === 'failure' ? { stopped: true } : {}),
    ...(stopped === 'budget' ? { budgetSpent: account.summary() ?? 'nothing is left' } : {}),
    durationMs: Math.round(options.clock.monotonic() - startedAt),
  };
}

async function performOne(
  options: RunOptions,
  work: Work,
  environment: LiveEnvironment,
  holder: EnvironmentHolder,
  loan: Loan,
): Promise<'go-on' | 'stop'> {
  const { plan, listener, signal } = options;
  const { trial, attempt } = work;
  const folder = path.join(options.folder, trialFolder(trial.record.id, attempt));
  listener.trialStarted(trial, attempt);
  makeFolderBelow(options.folder, folder, 0o700);
  let held = false;
  const hold = async (step: string): Promise<void> => {
    held = true;
    await listener.stepFailed?.(trial, step, environment, folder);
  };
  const stopCounting = environment.onEvent(loan.saw);
  const ending = await perform(trial, {
    environment,
    budgets: loan.budgets,
    folder,
    uid: uidOf(plan, trial.record.id, attempt),
    signal,
    onRecording: (isOn) => holder.recording(trial.record.id, isOn),
    header: headerOf(plan, trial, attempt, environment, options.clock.now()),
    ...(listener.stepFailed ? { onFailure: hold } : {}),
  })
    .catch(
      (error: unknown): Performed => ({
        end: 'environment-broken',
        because: whyGone(error),
        lateErrors: async () => [],
      }),
    )
    .finally(() => {
      stopCounting();
      loan.giveBack();
    });
  await holder.used(leavesBroken(ending), { trial: trial.record.id, lateErrors: ending.lateErrors });
  const next = await listener.trialEnded(trial, attempt, ending, folder);
  if (ending.end === 'done' && listener.checksFailed) {
    const failed = await failedChecks(folder);
    if (failed !== '') {
      held = true;
      await listener.checksFailed(trial, failed, environment);
    }
  }
  return held ? 'stop' : next;
}

/** The first line of the journal of an attempt. */
export function headerOf(
  { run, seed, tool }: Omit<RunIdentity, 'variant'>,
  { record }: Trial,
  attempt: number,
  { environment, system }: LiveEnvironment,
  now: number,
): TrialJournalHeader {
  const startedAt = new Date(now).toISOString();
  const where = { environment, system: system.name };
  return { journal: journalVersion, run, trial: record.id, attempt, ...where, seed, tool, startedAt };
}

export function leavesBroken({ end }: Pick<Ending, 'end'>): boolean {
  return end === 'timeout' || end === 'environment-broken' || end === 'flow-failed';
}

/** The environment died during the attempt: only this attempt is affected. */
export function whyGone(error: unknown): string {
  const [problem] = problemsIn(error);
  if (problem?.code !== 'shakedown.keeper-died') throw error;
  return problem.what;
}

/** Derived from the seed; on an attached environment that remembers earlier runs, also from the run. */
function uidOf({ seed, attached, run }: RunPlan, id: string, attempt: number): string {
  const label = attached ? `${run}/${id}/${attempt}` : `${id}/${attempt}`;
  return `trial-${createRandom(seed).fork(label).hex(12)}`;
}

async function failedChecks(folder: string): Promise<string> {
  const { checks } = judge((await readTrialJournal(folder)).events);
  return checks
    .filter(({ verdict }) => verdict === 'failed')
    .map(({ id }) => id)
    .join(', ');
}

/** Every round performs everything once, in its own order if shuffled. */
function tasksOf({ plan, trials }: RunOptions): Task<Work>[] {
  const random = createRandom(plan.seed);
  const planned = new Map(plan.trials.map((trial) => [trial.id, trial]));
  const performed = trials.filter(({ record }) => planned.get(record.id)?.skipReason === undefined);
  return Array.from({ length: plan.rounds }, (_, round) => {
    const order = plan.shuffled ? random.fork(`order/${round}`).shuffle(performed) : performed;
    return order.flatMap((trial) =>
      Array.from({ length: trial.attempts }, (_one, index) => ({
        groups: trial.groups,
        work: {
          trial,
          attempt: round * trial.attempts + index + 1,
          isolation: planned.get(trial.record.id)?.isolation ?? 'fresh',
        },
      })),
    );
  }).flat();
}

/** Environments that fail for the same reason report it once. */
function withoutRepeats(problems: readonly Problem[]): readonly ProblemData[] {
  const byMessage = new Map(problems.map((problem) => [problem.message, problemToData(problem)]));
  return [...byMessage.values()];
}
