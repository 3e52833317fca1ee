/** Which trials show that a system works: the cheapest one through each entry point, and what would show the rest. */
import { canFail, type TrialRecord } from '../../checks/trial-record.ts';
import { hasDriver } from '../../trials/kinds/step-table.ts';
import type { Trial } from '../../trials/trial.ts';

/** An entry point of the system that its trials use: a driver, and the service that it calls. */
export interface Visit {
  /** `http greeter`, `command`, `flow` */
  readonly path: string;
  /** The trial that uses it, or would use it. */
  readonly trial: string;
  /** Why it is not performed; absent if it is. */
  readonly obstacle?: Obstacle;
}

export interface Obstacle {
  readonly why: string;
  /** The command that performs it. */
  readonly command: string;
}

export interface PastTrial {
  readonly hasPassed: boolean;
  readonly attemptMs: number;
}

export interface SmokeParts {
  readonly trials: readonly Trial[];
  /** The verdict of each in the last stored run. */
  readonly past: ReadonlyMap<string, PastTrial>;
  readonly obstacleOf: (trial: Trial) => Obstacle | undefined;
}

const smokeTag = 'smoke';

export function planSmoke({ trials, past, obstacleOf }: SmokeParts): readonly Visit[] {
  const ranked = trials
    .map((trial) => ({
      trial,
      paths: pathsOf(trial),
      rank: rankOf(trial, past),
      obstacle: obstacleOf(trial),
    }))
    .sort((a, b) => compareRanks(a.rank, b.rank));
  const paths = [...new Set(trials.flatMap(pathsOf))].sort();
  const chosen = new Set<(typeof ranked)[number]>();
  const through = (path: string) => ranked.filter((one) => one.paths.includes(path));
  // Entry points without a choice are decided first; others may then share the trial.
  for (const path of paths.toSorted((a, b) => through(a).length - through(b).length)) {
    const free = through(path).filter(({ obstacle }) => !obstacle);
    const first = free[0];
    if (first && !free.some((one) => chosen.has(one) && isAsTelling(one.trial, first.trial)))
      chosen.add(first);
  }
  return paths.map((path): Visit => {
    const all = through(path);
    const performed = all.find((one) => chosen.has(one));
    if (performed) return { path, trial: performed.trial.record.id };
    const { trial, obstacle } = all[0] as (typeof ranked)[number];
    return { path, trial: trial.record.id, ...(obstacle ? { obstacle } : {}) };
  });
}

/** A trial that is marked as the smoke trial is not replaced by another. */
function isAsTelling(one: Trial, best: Trial): boolean {
  return isSmoke(one.record) || !isSmoke(best.record);
}

/** Services that only a flow calls are not known before it runs. */
function pathsOf({ record }: Trial): readonly string[] {
  if (record.kind === 'flow') return ['flow'];
  const steps = record.steps.filter(({ driver }) => hasDriver(driver));
  return [...new Set(steps.map(({ driver, to }) => (to === undefined ? driver : `${driver} ${to}`)))];
}

type Rank = readonly (number | string)[];

/** Marked trials come first, then those that passed last time, then those that need least. */
function rankOf({ record, attempts, disturbs, steps }: Trial, past: SmokeParts['past']): Rank {
  const last = past.get(record.id);
  const acts = steps.filter(({ kind }) =>
    ['kill', 'stop', 'start', 'restart', 'pause', 'resume'].includes(kind),
  );
  return [
    isSmoke(record) ? 0 : 1,
    last && !last.hasPassed ? 1 : 0,
    canFail(record) ? 0 : 1,
    disturbs.length + acts.length > 0 ? 1 : 0,
    record.checks.some(({ provenBy }) => provenBy !== undefined) ? 1 : 0,
    attempts,
    last ? 0 : 1,
    last ? last.attemptMs : steps.length,
    record.id,
  ];
}

function isSmoke({ tags }: TrialRecord): boolean {
  return tags.includes(smokeTag);
}

function compareRanks(a: Rank, b: Rank): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  if (at < 0) return 0;
  return (a[at] as number | string) < (b[at] as number | string) ? -1 : 1;
}
