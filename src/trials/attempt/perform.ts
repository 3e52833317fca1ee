/** `perform`: one attempt at a trial on a live environment. The only place with effects; all of them are journalled. */
import { existsSync } from 'node:fs';
import type { AttemptEnd } from '../../journal/trial-event.ts';
import { within } from '../../kernel/deadline.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem, problemsIn } from '../../kernel/problem.ts';
import type { AttemptEnded } from '../../resources/resource.ts';
import { performFlow } from '../flow/perform-flow.ts';
import { arrange, cleanUp } from '../perform/arrange.ts';
import { type Attempt, tooLong } from '../perform/attempt.ts';
import { doStep } from '../perform/do-step.ts';
import { type OpenOptions, openAttempt } from '../perform/open-attempt.ts';
import { reachQuiet } from '../perform/reach-quiet.ts';
import { takeSamples } from '../perform/take-samples.ts';
import { watchThroughout } from '../perform/watch-throughout.ts';
import { lateErrors, markLogs, writeLogs } from '../perform/write-logs.ts';
import type { Trial } from '../trial.ts';

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
  /** Error lines that came after the end; to be read before anything else is done to the environment. */
  lateErrors(): Promise<readonly string[]>;
}

export async function perform(trial: Trial, options: PerformOptions): Promise<Performed> {
  const { environment } = options;
  const { clock } = environment;
  const startedAt = clock.monotonic();
  const giveUp = new AbortController();
  const cancel = clock.after(trial.timeoutMs, () => giveUp.abort(tooLong));
  const stop = (): void => giveUp.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', stop, { once: true });
  const stopAwaiting = environment.onGone(() => giveUp.abort(keeperGone));
  const whenGivenUp = (error: unknown): Ending => {
    // Once it is gone, any other failure is a consequence: its folder goes, too.
    if (giveUp.signal.reason !== keeperGone && !isGivenUp(error, giveUp.signal))
      throw existsSync(environment.workspace) ? error : workspaceGone(environment.workspace);
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
    // A person may inspect it without a time limit.
    const onFailure = async (step: string): Promise<void> => {
      if (options.onFailure) cancel();
      await options.onFailure?.(step);
    };
    ending = await performSteps(opened.attempt, options.budgets ?? {}, onFailure).catch((error: unknown) => {
      if (problemsIn(error)[0]?.code !== 'shakedown.keeper-died') return whenGivenUp(error);
      giveUp.abort(keeperGone);
      return whyGivenUp(keeperGone, trial);
    });
    // A service that dies or logs errors because we close connections does so within the attempt.
    if ((await opened.letGo()) && !giveUp.signal.aborted)
      await reachQuiet(opened.attempt, trial.settleMs, Math.max(limits.quietWithinMs, trial.settleMs * 4));
    // Early enough for its reports to be in the journal.
    await cleanUpOnce(opened.attempt, { isWhole: ending.end === 'done' && !giveUp.signal.aborted });
    await opened.finish(() => writeLogs(opened.attempt, opened.logs)).catch(whenGivenUp);
  } finally {
    stopWaiting();
    const finalEnding = giveUp.signal.aborted ? whyGivenUp(giveUp.signal.reason, trial) : ending;
    ending = finalEnding;
    await opened.close();
    const { journal } = opened.attempt;
    journal.emit({
      type: 'attempt.ended',
      ...finalEnding,
      durationMs: Math.round(clock.monotonic() - startedAt),
    });
    journal.close();
  }
  const marks = giveUp.signal.aborted ? undefined : await markLogs(environment).catch(() => new Map());
  return { ...ending, lateErrors: async () => (marks ? lateErrors(opened.attempt, marks) : []) };
}

/** Also after an aborted attempt: its faults on edges must not affect the next one. */
async function cleanUpOnce(attempt: Attempt, ended: AttemptEnded): Promise<void> {
  const cleaned = cleanUp(attempt, ended).catch((error: unknown) => {
    if (!attempt.signal.aborted) throw error;
    return 'the environment is gone, and its edges with it';
  });
  await within(attempt.environment.clock, cleanUpWithinMs, cleaned);
}

const cleanUpWithinMs = 5_000;
const afterFailureMs = 2_000;

const keeperGone = Symbol('the environment is gone');

/** Aborted code throws the abort reason of the attempt. */
function isGivenUp(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.cause === reason));
}

function whyGivenUp(reason: unknown, trial: Trial): Ending {
  if (reason === tooLong)
    return { end: 'timeout', because: `the attempt had not ended after ${formatDuration(trial.timeoutMs)}` };
  if (reason === keeperGone)
    return { end: 'environment-broken', because: 'the environment went away during the attempt' };
  return { end: 'interrupted', because: 'it was interrupted' };
}

function workspaceGone(workspace: string): Problem {
  return new Problem({
    code: 'world.not-writable',
    where: workspace,
    what: 'the workspace of the environment is gone',
    allowed: 'a workspace that stays where it was made as long as its environment is up',
    next: 'find what removes or moves it, such as a job that cleans temporary folders; or point TMPDIR elsewhere',
  });
}

type OnFailure = PerformOptions['onFailure'];

async function performSteps(
  attempt: Attempt,
  budgets: NonNullable<PerformOptions['budgets']>,
  onFailure: OnFailure,
): Promise<Ending> {
  const unstaged = await arrange(attempt, budgets);
  if (unstaged !== undefined) return { end: 'not-staged', because: unstaged };
  const throughout = watchThroughout(attempt);
  try {
    const ending = attempt.trial.flow
      ? await performFlow(attempt, onFailure)
      : await doSteps(attempt, onFailure);
    // A service that dies or logs errors because of the last step does so within the attempt.
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
