/** The live checks as rows: what was tried and its outcome, what was not, and the command that would try it. */

import type { RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { Problem } from '../../kernel/problem.ts';
import type { Examined } from './checks/check.ts';
import type { LivePlan } from './live-plan.ts';
import type { Visit } from './smoke-plan.ts';

/** A row; `trial` is the one that uses this entry point. */
export interface LiveRow extends Examined {
  readonly trial?: string;
}

/** The outcome. */
export interface LiveVisit {
  readonly bootMs: number | undefined;
  /** Why it did not boot, or was not taken down. */
  readonly problems: readonly Problem[];
  readonly leaks: readonly string[];
  /** Absent when no trial could be run. */
  readonly verdict?: RunVerdict;
}

/** The same rows when nothing was tried, each with the command that would try it. */
export function skippedRows({ visits, past }: LivePlan, why: string, command: string): readonly LiveRow[] {
  const skipped = { state: 'skipped', next: command } as const;
  return [
    { name: 'boot', ...skipped, detail: why },
    ...visits.map(({ path, trial, obstacle }): LiveRow => {
      const name = { name: path, trial };
      if (obstacle) return { ...name, ...skippedBy(trial, obstacle) };
      const last = past.get(trial);
      const detail = last ? `${trial}, ${formatDuration(last.attemptMs)} last time` : trial;
      return { ...name, ...skipped, detail };
    }),
  ];
}

export function liveRows({ visits }: LivePlan, visit: LiveVisit, again: string): readonly LiveRow[] {
  const isBooted = visit.bootMs !== undefined;
  return [
    bootRow(visit, again),
    ...visits.map((one) => visitRow(one, visit, isBooted, again)),
    ...(isBooted ? [teardownRow(visit)] : []),
  ];
}

function bootRow({ bootMs, problems }: LiveVisit, again: string): LiveRow {
  if (bootMs !== undefined)
    return { name: 'boot', state: 'ok', detail: `everything was ready after ${formatDuration(bootMs)}` };
  const [{ what: detail, next } = { what: 'it did not come up', next: again }] = problems;
  return { name: 'boot', state: 'broken', detail, next, problems };
}

function visitRow(
  { path, trial, obstacle }: Visit,
  visit: LiveVisit,
  isBooted: boolean,
  again: string,
): LiveRow {
  const name = { name: path, trial };
  if (obstacle) return { ...name, ...skippedBy(trial, obstacle) };
  const judged = visit.verdict?.trials.find(({ id }) => id === trial);
  if (!isBooted || !judged || judged.attempts === 0)
    return { ...name, state: 'skipped', detail: `${trial} was not run`, next: again };
  return { ...name, ...outcomeOf(judged) };
}

function outcomeOf({ id, verdict, cause, durationMs, repro }: TrialVerdict): Omit<LiveRow, 'name'> {
  if (verdict === 'passed')
    return { state: 'ok', detail: `${id} passed after ${formatDuration(durationMs)}` };
  const why = cause ? `: ${cause.text}` : '';
  const word = verdict === 'unknown' ? 'is inconclusive' : verdict;
  return { state: 'failed', detail: `${id} ${word}${why}`, next: repro };
}

function teardownRow({ leaks, problems }: LiveVisit): LiveRow {
  const [first] = problems;
  if (leaks.length === 0 && !first)
    return { name: 'teardown', state: 'ok', detail: 'everything was taken down, and nothing is left' };
  const detail = leaks.length > 0 ? `left behind: ${leaks.join('; ')}` : (first?.what ?? '');
  return { name: 'teardown', state: 'broken', detail, next: first?.next ?? 'shakedown down', problems };
}

function skippedBy(trial: string, { why, command }: NonNullable<Visit['obstacle']>): Omit<LiveRow, 'name'> {
  return { state: 'skipped', detail: `${trial}: ${why}`, next: command };
}
