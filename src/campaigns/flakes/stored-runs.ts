/** Reads the verdicts of stored runs; a folder that cannot be read is listed, and does not stop the others. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { UnreadRun } from '../../checks/trial-history.ts';
import type { RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { runsOf } from '../../environment/run-folder.ts';
import { openDocument } from '../../journal/seal.ts';
import { readPlainFile } from '../../kernel/folders/own-file.ts';
import { isListOf, isMap, type JsonMap } from '../../kernel/is-map.ts';
import { formatSize } from '../../kernel/size.ts';
import type { RunPlan } from '../run/run-plan.ts';

export interface StoredRun {
  readonly run: string;
  readonly startedAt: string;
  readonly plan: StoredPlan;
  readonly trials: readonly StoredTrial[];
}

/** The parts of a plan that are needed; the rest is not checked. */
export type StoredPlan = Pick<RunPlan, 'revision' | 'variant' | 'attached' | 'trials' | 'system'> &
  Pick<Partial<RunPlan>, 'uncommitted' | 'answers'>;

export type StoredTrial = Pick<
  TrialVerdict,
  'id' | 'verdict' | 'cause' | 'checks' | 'quarantined' | 'durationMs' | 'attempts'
>;

/** Shakedown keeps no more than this; if more folders were added by hand, the newest count. */
const mostRuns = 1_000;
const mostBytes = 64 * 1024 ** 2;

/** Oldest first. */
export function readStoredRuns(systemFolder: string) {
  const folders = runsOf(systemFolder).slice(-mostRuns);
  const read = folders.map(readStoredRun);
  const runs = read.flatMap((one) => ('plan' in one ? [one] : []));
  return {
    runs: runs.sort((a, b) => compare(a.startedAt, b.startedAt) || compare(a.run, b.run)),
    unread: read.flatMap((one) => ('kind' in one ? [one] : [])),
  };
}

function readStoredRun(folder: string): StoredRun | UnreadRun {
  const run = path.basename(folder);
  const plan = readJson(folder, 'plan.json');
  if (typeof plan === 'string') return { run, kind: isThere(folder) ? 'torn' : 'foreign', why: plan };
  if (!isMap(plan)) return { run, kind: 'foreign', why: 'plan.json is not a map' };
  const oddity = oddityOf(plan);
  if (oddity) return { run, ...oddity };
  const verdict = readJson(folder, 'verdict.json');
  if (typeof verdict === 'string') return { run, kind: 'torn', why: verdict };
  if (!isMap(verdict)) return { run, kind: 'torn', why: 'verdict.json is not a map' };
  if (verdict.schemaVersion !== 1)
    return { run, kind: 'version', why: otherVersion('verdict.json', verdict) };
  if (verdict.run !== plan.run)
    return { run, kind: 'torn', why: `verdict.json is of the run ${JSON.stringify(verdict.run ?? null)}` };
  if (!isVerdict(verdict)) return { run, kind: 'torn', why: 'verdict.json has no list of trials' };
  return {
    run,
    startedAt: String(plan.startedAt),
    plan: plan as unknown as StoredPlan,
    trials: verdict.trials,
  };
}

function oddityOf(plan: JsonMap): Omit<UnreadRun, 'run'> | undefined {
  if (plan.kind === undefined && 'environment' in plan)
    return { kind: 'up', why: 'it was made by `shakedown up`, without trials' };
  if (plan.kind !== 'run') return { kind: 'foreign', why: 'plan.json is not that of a `shakedown run`' };
  if (plan.schemaVersion !== 1) return { kind: 'version', why: otherVersion('plan.json', plan) };
  if (!isPlan(plan)) return { kind: 'torn', why: 'plan.json lacks the system, the trials or the time' };
  return undefined;
}

/** The reason when it cannot be read. */
function readJson(folder: string, name: string): object | null | string {
  const file = path.join(folder, name);
  try {
    const { size } = statSync(file);
    if (size > mostBytes) return `${name} has ${formatSize(size)}, more than ${formatSize(mostBytes)}`;
    const value: unknown = JSON.parse(openDocument(readPlainFile(file)));
    return typeof value === 'object' ? value : null;
  } catch (error) {
    if (!existsSync(file))
      return `there is no ${name}: the run was killed or is still running, or this is not a run folder`;
    return `${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function isThere(folder: string): boolean {
  return existsSync(path.join(folder, 'plan.json'));
}

function isPlan(plan: JsonMap): plan is JsonMap & Pick<RunPlan, 'system' | 'trials'> {
  const { system, trials, startedAt } = plan;
  return (
    typeof startedAt === 'string' &&
    isMap(system) &&
    typeof system.configHash === 'string' &&
    isListOf(system.resources ?? [], isMap) &&
    isListOf(trials, (one) => isNamed(one) && isListOf(one.checks ?? [], isMap))
  );
}

function isVerdict(verdict: JsonMap): verdict is JsonMap & Pick<RunVerdict, 'trials'> {
  return isListOf(
    verdict.trials,
    (one) => isNamed(one) && typeof one.verdict === 'string' && isListOf(one.checks, isNamed),
  );
}

function isNamed(value: unknown): value is JsonMap {
  return isMap(value) && typeof value.id === 'string';
}

function otherVersion(name: string, { schemaVersion }: JsonMap): string {
  return `${name} is of version ${JSON.stringify(schemaVersion ?? null)}, this tool reads 1`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
