/** Performs trials while somebody lies to them, one at a time in each of several environments, and judges what each has shown. */

import path from 'node:path';
import { journalVersion } from '../../../journal/event.ts';
import { readTrialJournal } from '../../../journal/trial-journal.ts';
import { type Problem, problemsIn } from '../../../kernel/problem.ts';
import { createRandom } from '../../../kernel/random.ts';
import type { Isolation, System } from '../../../system/system.ts';
import { perform } from '../../../trials/perform/perform.ts';
import type { Stage } from '../../../trials/perform/stage.ts';
import { type BudgetAccount, openBudgetAccount } from '../../run/budget-account.ts';
import { createStageHolder, type StageHolder, type StageSource } from '../../run/stage-holder.ts';
import { createTaskQueue, type Task, type TaskQueue } from '../../run/task-queue.ts';
import { trialFolder } from '../../run/trial-folder.ts';
import { hurriedTrial } from './hurried-trial.ts';
import { judgeLiedAttempt, type LiedVerdict } from './judge-lied-attempt.ts';
import { placeLie } from './place-lie.ts';
import type { LiedTrial } from './plan-lies.ts';

export interface TryOptions {
  readonly system: System;
  readonly attempts: readonly LiedTrial[];
  /** How many environments at once. */
  readonly parallel: number;
  readonly stages: StageSource;
  /** Where the journals go. */
  readonly folder: string;
  readonly about: { readonly run: string; readonly seed: string; readonly tool: string };
  readonly clock: { now(): number };
  /** Aborted when whoever called is interrupted: what is under way is given up. */
  readonly signal: AbortSignal;
  /** Aborted when time is up: what is under way goes on, and nothing more is begun. */
  readonly enough: AbortSignal;
  readonly onTried: (tried: TriedLie) => void;
}

export interface TriedLie extends LiedTrial, LiedVerdict {
  /** Where it was met, and how often. */
  readonly feltOn: ReadonlyMap<string, number>;
  /** Of its journal. */
  readonly folder: string;
}

export interface Tries {
  readonly tried: readonly TriedLie[];
  readonly left: readonly LiedTrial[];
  readonly problems: readonly Problem[];
  readonly leaks: readonly string[];
}

export async function tryLies(options: TryOptions): Promise<Tries> {
  const { attempts, parallel, stages, signal, enough } = options;
  const tasks = attempts.map((work): Task<LiedTrial> => ({ groups: work.stored.trial.groups, work }));
  const queue = createTaskQueue(tasks);
  const workers = Math.min(parallel, Math.max(1, attempts.length));
  const account = openBudgetAccount(options.system, workers);
  const tried: TriedLie[] = [];
  const problems: Problem[] = [];
  const leaks: string[] = [];
  for (const end of [signal, enough]) {
    end.addEventListener('abort', queue.close, { once: true });
    if (end.aborted) queue.close();
  }
  const worker = async (): Promise<void> => {
    const holder = createStageHolder(stages);
    try {
      await workOff(options, queue, holder, account, (one) => {
        tried.push(one);
        options.onTried(one);
      });
    } catch (error) {
      // Without an environment nothing more can be shown: whoever else is at work finishes, and no more is begun.
      problems.push(...problemsIn(error));
      queue.close();
    } finally {
      const end = await holder.end();
      leaks.push(...end.leaks);
      problems.push(...end.problems.filter(({ family }) => family !== 'system'));
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  const done = new Set(tried.map(({ lie, stored }) => keyOf({ lie, stored })));
  return { tried, left: attempts.filter((one) => !done.has(keyOf(one))), problems, leaks };
}

function keyOf({ lie, stored }: LiedTrial): string {
  return JSON.stringify([lie.service, lie.lie, stored.trial.record.id]);
}

async function workOff(
  options: TryOptions,
  queue: TaskQueue<LiedTrial>,
  holder: StageHolder,
  account: BudgetAccount,
  onTried: (tried: TriedLie) => void,
): Promise<void> {
  let before: string | undefined;
  for (;;) {
    const task = await queue.take();
    if (!task || options.signal.aborted) return;
    try {
      const { lie, stored } = task.work;
      const about = `${lie.service} ${lie.lie}`;
      // What a service remembers of one lie must not meet the next.
      const isOther = before !== undefined && before !== about;
      before = about;
      const stage = await holder.prepare(isOther ? atLeastRestart(stored.isolation) : stored.isolation);
      if (options.signal.aborted || options.enough.aborted) return;
      const tried = await tryOne(options, task.work, stage, holder, account).catch(async (error: unknown) => {
        const because = whyGone(error);
        await holder.used(true);
        return { ...task.work, outcome: 'undecided' as const, because, feltOn: new Map(), folder: '' };
      });
      if (!tried) return queue.close();
      onTried(tried);
    } finally {
      queue.done(task);
    }
  }
}

/** The environment went away under it: that is this attempt's misfortune, and nobody else's. */
function whyGone(error: unknown): string {
  const [problem] = problemsIn(error);
  if (problem?.code !== 'shakedown.keeper-died') throw error;
  return problem.what;
}

function atLeastRestart(isolation: Isolation): Isolation {
  return isolation === 'shared' ? 'restart' : isolation;
}

/** Undefined when no money is left for it. */
async function tryOne(
  options: TryOptions,
  { lie, stored }: LiedTrial,
  stage: Stage,
  holder: StageHolder,
  account: BudgetAccount,
): Promise<TriedLie | undefined> {
  const { about, clock, signal } = options;
  const { trial, view } = stored;
  const { id } = trial.record;
  const loan = account.lend(trial.budget);
  if (loan === 'spent') return undefined;
  const folder = path.join(options.folder, lie.service, lie.lie, trialFolder(id, 1));
  let isTouched = false;
  const stopLooking = stage.onEvent((event) => {
    loan.saw(event);
    isTouched ||= event.type === 'connection.opened' || event.type === 'call';
  });
  const placed = await placeLie(stage, lie);
  const ending = await perform(hurriedTrial(trial, view), {
    stage: impatient(stage),
    budgets: loan.budgets,
    folder,
    uid: `trial-${createRandom(about.seed).fork(`${lie.service}/${lie.lie}/${id}`).hex(12)}`,
    signal,
    header: {
      journal: journalVersion,
      trial: id,
      attempt: 1,
      environment: stage.environment,
      system: stage.system.name,
      startedAt: new Date(clock.now()).toISOString(),
      ...about,
    },
  }).finally(() => loan.giveBack());
  const isBroken =
    ending.end === 'timeout' || ending.end === 'environment-broken' || ending.end === 'flow-failed';
  const feltOn = ending.end === 'environment-broken' ? new Map<string, number>() : await liftAndCount(placed);
  stopLooking();
  // Who was let in nowhere has changed nothing: the next finds it as it was.
  if (isTouched || isBroken) await holder.used(isBroken);
  const { events } = await readTrialJournal(folder);
  return { lie, stored, folder, feltOn, ...judgeLiedAttempt(events, lie, feltOn) };
}

async function liftAndCount(
  placed: Awaited<ReturnType<typeof placeLie>>,
): Promise<ReadonlyMap<string, number>> {
  // Once it is lifted, all that was met has been told.
  await placed.lift();
  return placed.feltOn();
}

const mostQuietMs = 1_500;

/** Somebody who is lied to may never come to rest. */
function impatient(stage: Stage): Stage {
  const ask: Stage['ask'] = (request, params) =>
    request === 'quiet' && 'withinMs' in params
      ? stage.ask(request, { ...params, withinMs: Math.min(params.withinMs, mostQuietMs) })
      : stage.ask(request, params);
  return { ...stage, ask };
}
