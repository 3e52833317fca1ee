/** Which trials show that a system works: the cheapest one through each way in, and what would show the rest. */
import type { TrialRecord } from '../../checks/trial-record.ts';
import { isDriverKind } from '../../trials/perform/driver-table.ts';
import type { Trial } from '../../trials/trial.ts';

/** A way into the system that its trials use: a driver, and the service to which it speaks. */
export interface Visit {
  /** `http greeter`, `command`, `flow` */
  readonly path: string;
  /** The trial that goes through it, or that would. */
  readonly trial: string;
  /** Why nobody does; absent for one that is performed. */
  readonly obstacle?: Obstacle;
}

export interface Obstacle {
  readonly why: string;
  /** What has to be typed for it to be performed. */
  readonly command: string;
}

export interface PastTrial {
  readonly hasPassed: boolean;
  readonly attemptMs: number;
}

export interface SmokeParts {
  readonly trials: readonly Trial[];
  /** What the last stored run says of each. */
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
  // Where there is no choice, it is made first; others may then go along.
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

/** Where somebody has marked a trial as the one to try, another does not stand for it. */
function isAsTelling(one: Trial, best: Trial): boolean {
  return isSmoke(one.record) || !isSmoke(best.record);
}

/** Services that are only spoken to by a flow are not known before it runs. */
function pathsOf({ record }: Trial): readonly string[] {
  if (record.kind === 'flow') return ['flow'];
  const steps = record.steps.filter(({ driver }) => isDriverKind(driver));
  return [...new Set(steps.map(({ driver, to }) => (to === undefined ? driver : `${driver} ${to}`)))];
}

type Rank = readonly (number | string)[];

/** What somebody marked comes first, then what held last time, then what needs the least. */
function rankOf({ record, attempts, disturbs, steps }: Trial, past: SmokeParts['past']): Rank {
  const last = past.get(record.id);
  const acts = steps.filter(({ kind }) => ['kill', 'stop', 'start', 'restart'].includes(kind));
  return [
    isSmoke(record) ? 0 : 1,
    last && !last.hasPassed ? 1 : 0,
    isMute(record) ? 1 : 0,
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

/** One that checks nothing shows nothing. */
function isMute({ kind, checks, steps }: TrialRecord): boolean {
  return kind === 'yaml' && checks.length === 0 && !steps.some(({ expect }) => expect !== undefined);
}

function compareRanks(a: Rank, b: Rank): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  if (at < 0) return 0;
  return (a[at] as number | string) < (b[at] as number | string) ? -1 : 1;
}
