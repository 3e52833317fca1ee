/** `perform`: one attempt at a trial on a live environment. The only place where effects happen; all of it is written down. */
import { existsSync } from 'node:fs';
import type { AttemptEnd } from '../../journal/trial-event.ts';
import { within } from '../../kernel/deadline.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem, problemsIn } from '../../kernel/problem.ts';
import type { AttemptEnded } from '../../resources/resource.ts';
import { performFlow } from '../flow/perform-flow.ts';
import type { Trial } from '../trial.ts';
import type { Attempt } from './attempt.ts';
import { doStep } from './do-step.ts';
import { type OpenOptions, openAttempt } from './open-attempt.ts';
import { reachQuiet } from './reach-quiet.ts';
import { setTheStage, strikeTheStage } from './set-the-stage.ts';
import { takeSamples } from './take-samples.ts';
import { watchThroughout } from './watch-throughout.ts';
import { lateErrors, markLogs, writeLogs } from './write-logs.ts';

export interface PerformOptions extends OpenOptions {
  /** What it may spend on models, by resource. */
  readonly budgets?: Readonly<Record<string, { readonly usd?: number; readonly tokens?: number }>>;
  /** Called at a step that failed, while everything is still open. */
  readonly onFailure?: (step: string) => Promise<void>;
}

export interface Ending {
  readonly end: AttemptEnd;
  readonly because?: string;
}

export interface Performed extends Ending {
  /** Error lines that came after the end; to be asked for before anything else is done to the environment. */
  lateErrors(): Promise<readonly string[]>;
}

export async function perform(trial: Trial, options: PerformOptions): Promise<Performed> {
  const { stage } = options;
  const { clock } = stage;
  const startedAt = clock.monotonic();
  const giveUp = new AbortController();
  const cancel = clock.after(trial.timeoutMs, () => giveUp.abort(tooLong));
  const stop = (): void => giveUp.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', stop, { once: true });
  const stopAwaiting = stage.onGone(() => giveUp.abort(keeperGone));
  const whenGivenUp = (error: unknown): Ending => {
    // Once it is gone, whatever else fails fails of that: its folder goes, too.
    if (giveUp.signal.reason !== keeperGone && !isGivenUp(error, giveUp.signal))
      throw existsSync(stage.workspace) ? error : workspaceGone(stage.workspace);
    return whyGivenUp(giveUp.signal.reason, trial);
  };
  let ending: Ending = { end: 'interrupted' };
  const opened = await openAttempt(trial, options, giveUp.signal).catch(whenGivenUp);
  const stopWaiting = (): void => {
    cancel();
    stopAwaiting();
    options.signal?.removeEventListener('abort', stop);
  };
  if ('end' in opened) {
    stopWaiting();
    return { ...opened, lateErrors: async () => [] };
  }
  try {
    // A person looks around as long as they like.
    const onFailure = async (step: string): Promise<void> => {
      if (options.onFailure) cancel();
      await options.onFailure?.(step);
    };
    ending = await play(opened.attempt, options.budgets ?? {}, onFailure).catch((error: unknown) => {
      if (problemsIn(error)[0]?.code !== 'shakedown.keeper-died') return whenGivenUp(error);
      giveUp.abort(keeperGone);
      return whyGivenUp(keeperGone, trial);
    });
    // Whoever dies of our goodbye, or complains about it, does so within the attempt.
    if ((await opened.letGo()) && !giveUp.signal.aborted)
      await reachQuiet(opened.attempt, trial.settleMs, Math.max(limits.quietWithinMs, trial.settleMs * 4));
    // In time for what it tells to stand in the journal.
    await strike(opened.attempt, { isWhole: ending.end === 'done' && !giveUp.signal.aborted });
    await opened.finish(() => writeLogs(opened.attempt, opened.logs)).catch(whenGivenUp);
  } finally {
    stopWaiting();
    const told = giveUp.signal.aborted ? whyGivenUp(giveUp.signal.reason, trial) : ending;
    ending = told;
    await opened.close();
    const { journal } = opened.attempt;
    journal.emit({ type: 'attempt.ended', ...told, durationMs: Math.round(clock.monotonic() - startedAt) });
    journal.close();
  }
  const marks = giveUp.signal.aborted ? undefined : await markLogs(stage).catch(() => new Map());
  return { ...ending, lateErrors: async () => (marks ? lateErrors(opened.attempt, marks) : []) };
}

/** Also of an attempt that was given up: what it did to edges must not meet the next one. */
async function strike(attempt: Attempt, ended: AttemptEnded): Promise<void> {
  const struck = strikeTheStage(attempt, ended).catch((error: unknown) => {
    if (!attempt.signal.aborted) throw error;
    return 'the environment is gone, and its edges with it';
  });
  await within(attempt.stage.clock, strikeWithinMs, struck);
}

const strikeWithinMs = 5_000;
const afterFailureMs = 2_000;

const tooLong = Symbol('the attempt took too long');
const keeperGone = Symbol('the environment is gone');

/** Whoever is stopped in the middle throws the reason for which the attempt was given up. */
function isGivenUp(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.cause === reason));
}

function whyGivenUp(reason: unknown, trial: Trial): Ending {
  if (reason === tooLong)
    return { end: 'timeout', because: `the attempt had not ended after ${formatDuration(trial.timeoutMs)}` };
  if (reason === keeperGone)
    return { end: 'environment-broken', because: 'the environment went away under it' };
  return { end: 'interrupted', because: 'it was interrupted' };
}

function workspaceGone(workspace: string): Problem {
  return new Problem({
    code: 'world.not-writable',
    where: workspace,
    what: 'the workspace of the environment is gone',
    allowed: 'a workspace that stays where it was made as long as its environment is up',
    next: 'look for who removes or moves it, a service or a job that cleans temporary folders; or point TMPDIR elsewhere',
  });
}

type OnFailure = PerformOptions['onFailure'];

async function play(
  attempt: Attempt,
  budgets: NonNullable<PerformOptions['budgets']>,
  onFailure: OnFailure,
): Promise<Ending> {
  const unstaged = await setTheStage(attempt, budgets);
  if (unstaged !== undefined) return { end: 'not-staged', because: unstaged };
  const throughout = watchThroughout(attempt);
  try {
    const ending = attempt.trial.flow
      ? await performFlow(attempt, onFailure)
      : await doSteps(attempt, onFailure);
    // Whoever died of the last step, or complains about it, does so within the attempt.
    if (ending.end !== 'done') await reachQuiet(attempt, attempt.trial.settleMs, afterFailureMs);
    else if (!attempt.trial.flow) await takeSamples(attempt);
    return ending;
  } finally {
    await throughout.end();
  }
}

async function doSteps(attempt: Attempt, onFailure: OnFailure): Promise<Ending> {
  for (const step of attempt.trial.steps) {
    if (attempt.signal.aborted) return { end: 'interrupted' };
    const outcome = await doStep(attempt, step);
    if (outcome.done || step.rung) continue;
    await onFailure?.(step.name);
    return { end: 'step-failed', because: `step ${step.name}: ${outcome.because ?? 'it failed'}` };
  }
  return { end: 'done' };
}
