/** Performs the planned trials, one at a time in each of several environments, and leaves a journal of every attempt. */
import path from 'node:path';
import { judge } from '../../checks/judge-attempt.ts';
import { worldProblem } from '../../environment/processes/world-problem.ts';
import { journalVersion } from '../../journal/event.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import { makeFolderBelow } from '../../kernel/folders/entries-below.ts';
import { type Problem, type ProblemData, problemsIn, problemToData } from '../../kernel/problem.ts';
import { createRandom } from '../../kernel/random.ts';
import type { Isolation } from '../../system/system.ts';
import { type Ending, type Performed, perform } from '../../trials/perform/perform.ts';
import type { Stage } from '../../trials/perform/stage.ts';
import type { Trial } from '../../trials/trial.ts';
import { type BudgetAccount, type Loan, openBudgetAccount } from './budget-account.ts';
import type { RunOutcome, RunPlan } from './run-plan.ts';
import { createStageHolder, type StageHolder, type StageSource } from './stage-holder.ts';
import { createTaskQueue, type Task, type TaskQueue } from './task-queue.ts';
import { trialFolder } from './trial-folder.ts';

export interface RunOptions {
  readonly plan: RunPlan;
  readonly folder: string;
  /** In the order of the plan. */
  readonly trials: readonly Trial[];
  /** How many environments at once. */
  readonly parallel: number;
  readonly stages: StageSource;
  readonly clock: { monotonic(): number; now(): number };
  /** Aborted when whoever called is interrupted. */
  readonly signal: AbortSignal;
  readonly listener: RunListener;
}

export interface RunListener {
  trialStarted(trial: Trial, attempt: number): void;
  /** `stop`: no more is begun. */
  trialEnded(trial: Trial, attempt: number, ending: Ending, folder: string): Promise<'go-on' | 'stop'>;
  /** A step failed; the environment is held as long as this takes, and no more is begun. */
  stepFailed?(trial: Trial, step: string, stage: Stage, folder: string): Promise<void>;
  /** All steps were done and a check failed; held likewise. */
  checksFailed?(trial: Trial, failed: string, stage: Stage): Promise<void>;
}

interface Work {
  readonly trial: Trial;
  readonly attempt: number;
  readonly isolation: Isolation;
}

export async function runTrials(options: RunOptions): Promise<RunOutcome> {
  const startedAt = options.clock.monotonic();
  const queue = createTaskQueue(tasksOf(options));
  const workers = Math.min(options.parallel, Math.max(1, options.trials.length));
  const account = openBudgetAccount(options.plan.system, workers);
  const problems: Problem[] = [];
  const leaks: string[] = [];
  let stopped: 'failure' | 'budget' | undefined;
  options.signal.addEventListener('abort', queue.close, { once: true });
  const worker = async (): Promise<void> => {
    const holder = createStageHolder(options.stages);
    try {
      const ended = await workOff(options, account, queue, holder, (error) =>
        problems.push(...problemsIn(error)),
      );
      stopped ??= ended;
    } catch (error) {
      // Without an environment nothing more can be shown: whoever else is at work finishes, and no more is begun.
      problems.push(...problemsIn(error));
      queue.close();
    } finally {
      const end = await holder.end();
      leaks.push(...end.leaks);
      problems.push(...end.problems);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return {
    problems: toldOnce(problems),
    leaks,
    ...(stopped === 'failure' ? { stopped: true } : {}),
    ...(stopped === 'budget' ? { budgetSpent: account.summary() ?? 'nothing is left' } : {}),
    durationMs: Math.round(options.clock.monotonic() - startedAt),
  };
}

async function workOff(
  options: RunOptions,
  account: BudgetAccount,
  queue: TaskQueue<Work>,
  holder: StageHolder,
  onBug: (error: unknown) => void,
): Promise<'failure' | 'budget' | undefined> {
  for (;;) {
    const task = await queue.take();
    if (!task || options.signal.aborted) return undefined;
    try {
      const stage = await holder.prepare(task.work.isolation);
      if (options.signal.aborted) return undefined;
      const loan = account.lend(task.work.trial.budget);
      if (loan === 'spent') {
        queue.close();
        return 'budget';
      }
      const next = await performOne(options, task.work, stage, holder, loan).catch(async (error: unknown) => {
        // A bug of ours is this attempt's misfortune; it is told, and the others go on in an environment made anew.
        const { trial, attempt } = task.work;
        onBug(worldProblem(error, path.join(options.folder, trialFolder(trial.record.id, attempt))));
        await holder.used(true);
        return 'go-on' as const;
      });
      if (next === 'stop') {
        queue.close();
        return 'failure';
      }
    } finally {
      queue.done(task);
    }
  }
}

async function performOne(
  options: RunOptions,
  work: Work,
  stage: Stage,
  holder: StageHolder,
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
    await listener.stepFailed?.(trial, step, stage, folder);
  };
  const stopCounting = stage.onEvent(loan.saw);
  const ending = await perform(trial, {
    stage,
    budgets: loan.budgets,
    folder,
    uid: uidOf(plan, trial.record.id, attempt),
    signal,
    header: {
      journal: journalVersion,
      run: plan.run,
      trial: trial.record.id,
      attempt,
      environment: stage.environment,
      system: plan.system.name,
      seed: plan.seed,
      tool: plan.tool,
      startedAt: new Date(options.clock.now()).toISOString(),
    },
    ...(listener.stepFailed ? { onFailure: hold } : {}),
  })
    .catch(whenGone)
    .finally(() => {
      stopCounting();
      loan.giveBack();
    });
  await holder.used(
    ending.end === 'timeout' || ending.end === 'environment-broken' || ending.end === 'flow-failed',
    { trial: trial.record.id, lateErrors: ending.lateErrors },
  );
  const next = await listener.trialEnded(trial, attempt, ending, folder);
  if (ending.end === 'done' && listener.checksFailed) {
    const failed = await failedChecks(folder);
    if (failed !== '') {
      held = true;
      await listener.checksFailed(trial, failed, stage);
    }
  }
  return held ? 'stop' : next;
}

/** The environment went away under it: that is this trial's misfortune, and nobody else's. */
function whenGone(error: unknown): Performed {
  const [problem] = problemsIn(error);
  if (problem?.code !== 'shakedown.keeper-died') throw error;
  return { end: 'environment-broken', because: problem.what, lateErrors: async () => [] };
}

/** From the seed; on an environment that remembers earlier runs, of this run alone. */
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

/** Every round performs everything once, in an order of its own when it is shuffled. */
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

/** Environments that fail for one reason say it once. */
function toldOnce(problems: readonly Problem[]): readonly ProblemData[] {
  const told = new Map(problems.map((problem) => [problem.message, problemToData(problem)]));
  return [...told.values()];
}
