/** Evidence of a stored run: the trials that passed in it, each as it is now, with its journal. */
import path from 'node:path';
import { type AttemptView, viewAttempt } from '../../../checks/attempt-view.ts';
import type { TrialRecord } from '../../../checks/trial-record.ts';
import { readTrialJournal } from '../../../journal/trial-journal.ts';
import { firstNames } from '../../../kernel/counted.ts';
import { Problem } from '../../../kernel/problem.ts';
import { trialHash } from '../../../requirements/trial-hash.ts';
import type { Isolation } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { judgeRun } from '../../run/judge-run.ts';
import { readOutcome, readRunPlan } from '../../run/run-plan.ts';
import { nothingPassed } from '../sabotage-run.ts';

export interface StoredTrial {
  readonly trial: Trial;
  /** As it was performed then. */
  readonly view: AttemptView;
  readonly isolation: Isolation;
}

export type StoredEvidence = Awaited<ReturnType<typeof readEvidence>>;

/** `trials` are the current ones. Rejects if the run cannot be trusted, or was made with other trials than these. */
export async function readEvidence(folder: string, trials: readonly Trial[]) {
  const plan = readRunPlan(folder);
  if (!readOutcome(folder)) {
    const what = 'the run was interrupted before its end, so its result is incomplete';
    throw unusable('run.unreadable', folder, what, 'a run that ended');
  }
  const verdict = await judgeRun(folder);
  const now = new Map(trials.map((trial) => [trial.record.id, trial]));
  const isolation = new Map(plan.trials.map((planned) => [planned.id, planned.isolation]));
  const found: StoredTrial[] = [];
  const notTried: { trial: string; because: string }[] = [];
  const changed: string[] = [];
  for (const { id, verdict: said, folder: place } of verdict.trials) {
    const view = place === null ? undefined : await viewOf(path.join(folder, place));
    if (said !== 'passed' || !view) {
      notTried.push({ trial: id, because: `it is ${said} in the run` });
      continue;
    }
    const trial = now.get(id);
    if (trial && isSame(trial.record, view.record))
      found.push({ trial, view, isolation: isolation.get(id) ?? 'fresh' });
    else changed.push(trial ? id : `${id} (removed)`);
  }
  if (changed.length > 0) throw outdated(folder, changed);
  if (found.length === 0) {
    const leftOut = notTried.map(({ trial, because }) => ({ trial, why: because }));
    const allowed = 'a run in which at least one trial passed';
    throw nothingPassed(folder, leftOut, { allowed, command: 'shakedown sabotage --live' });
  }
  const known = new Set(verdict.trials.map(({ id }) => id));
  for (const { record } of trials)
    if (!known.has(record.id)) notTried.push({ trial: record.id, because: 'it is not in the run' });
  return { run: plan.run, seed: plan.seed, variant: plan.variant, trials: found, notTried };
}

/** Undefined where the attempt never began. */
async function viewOf(place: string): Promise<AttemptView | undefined> {
  const journal = await readTrialJournal(place);
  const view = viewAttempt(journal.events);
  if (journal.torn || view?.missingLine !== undefined) {
    const what = 'lines are missing in the journal';
    throw unusable('run.unreadable', place, what, 'a run folder as it was written');
  }
  return view;
}

/** Lines may move, titles change and golden outputs be accepted without a change of meaning. */
function isSame(now: TrialRecord, then: TrialRecord): boolean {
  const allowances = ({ logs, expectedFailure }: TrialRecord): string =>
    JSON.stringify([logs, expectedFailure]);
  return trialHash(now) === trialHash(then) && allowances(now) === allowances(then);
}

const mostNamed = 5;

function outdated(folder: string, changed: readonly string[]): Problem {
  const what = `changed since the run: ${firstNames(changed, mostNamed)}`;
  const allowed =
    'a run of the trials as they are now: its journals show which services each of them touches';
  return unusable('run.outdated', folder, what, allowed);
}

function unusable(
  code: 'run.unreadable' | 'run.outdated',
  where: string,
  what: string,
  allowed: string,
): Problem {
  const next = 'run again, and sabotage that: shakedown run && shakedown sabotage --live';
  return new Problem({ code, where, what, allowed, next });
}
