/** Compares two runs: what broke, what was mended, what became slower than it ever was, and what they cost. */
import { sumCosts } from '../../checks/cost.ts';
import type { ComparedRun, ComparedTrial, RunComparison, SlowerTrial } from '../../checks/run-comparison.ts';
import { judgedBadly, type TrialVerdict } from '../../checks/verdict.ts';
import { readStoredRuns, type StoredTrial } from '../flakes/stored-runs.ts';
import type { JudgedRun } from './merge-shards.ts';
import { systemFolderOf } from './report-source.ts';

export function compareRuns(before: JudgedRun, after: JudgedRun): RunComparison {
  const then = new Map(before.verdict.trials.map((trial) => [trial.id, trial]));
  const now = new Map(after.verdict.trials.map((trial) => [trial.id, trial]));
  const pairs = after.verdict.trials.map((trial) => ({ trial, earlier: then.get(trial.id) }));
  const wasBad = (trial: TrialVerdict | undefined): boolean =>
    trial !== undefined && judgedBadly(trial.verdict);
  const select = (isMeant: (pair: (typeof pairs)[number]) => boolean): readonly ComparedTrial[] =>
    pairs.filter(isMeant).map(compared);
  return {
    before: describe(before),
    after: describe(after),
    differences: differencesOf(before, after),
    newFailures: select(({ trial, earlier }) => wasBad(trial) && !wasBad(earlier)),
    fixed: select(({ trial, earlier }) => trial.verdict === 'passed' && wasBad(earlier)),
    stillFailing: select(({ trial, earlier }) => wasBad(trial) && wasBad(earlier)),
    added: [...now.keys()].filter((id) => !then.has(id)),
    gone: [...then.keys()].filter((id) => !now.has(id)),
    slower: slowerTrials(before, after),
  };
}

function describe({ plan, verdict }: JudgedRun): ComparedRun {
  const { run, revision, counts, durationMs, trials } = verdict;
  const cost = sumCosts(trials);
  return { run, startedAt: plan.startedAt, revision, verdict: verdict.verdict, counts, durationMs, cost };
}

function compared({
  trial: { id, verdict, cause, repro },
  earlier,
}: {
  readonly trial: TrialVerdict;
  readonly earlier: TrialVerdict | undefined;
}): ComparedTrial {
  return { id, was: earlier?.verdict ?? null, is: verdict, cause: cause?.text ?? null, repro };
}

function differencesOf({ plan: a }: JudgedRun, { plan: b }: JudgedRun): readonly string[] {
  const facts: ReadonlyArray<readonly [what: string, before: unknown, after: unknown]> = [
    ['revision', a.revision, b.revision],
    ['uncommitted changes', a.uncommitted, b.uncommitted],
    ['config', a.system.configHash, b.system.configHash],
    ['variant', a.variant, b.variant],
    ['seed', a.seed, b.seed],
    ['Shakedown', a.tool, b.tool],
  ];
  return facts.flatMap(([what, one, other]) => (JSON.stringify(one) === JSON.stringify(other) ? [] : [what]));
}

/** Beyond noise: by half, by what a person notices, and more than in any stored run in which it passed. */
const factor = 1.5;
const leastMs = 200;

function slowerTrials(before: JudgedRun, after: JudgedRun): readonly SlowerTrial[] {
  const usualOf = usualTimes(before, after);
  const then = new Map(before.verdict.trials.map((trial) => [trial.id, trial]));
  const slower = after.verdict.trials.flatMap((trial): SlowerTrial[] => {
    const earlier = then.get(trial.id);
    if (!earlier || !hasTime(trial) || !hasTime(earlier)) return [];
    const [beforeMs, afterMs] = [timeOf(earlier), timeOf(trial)];
    if (afterMs <= beforeMs * factor || afterMs - beforeMs <= leastMs) return [];
    const times = [beforeMs, ...(usualOf.get(trial.id) ?? [])];
    const usual = { runs: times.length, leastMs: Math.min(...times), mostMs: Math.max(...times) };
    return afterMs > usual.mostMs ? [{ id: trial.id, beforeMs, afterMs, usual }] : [];
  });
  return slower.sort((a, b) => b.afterMs - b.beforeMs - (a.afterMs - a.beforeMs));
}

/** In other runs that began before the second one. */
function usualTimes(before: JudgedRun, after: JudgedRun): ReadonlyMap<string, readonly number[]> {
  const folder = systemFolderOf(after) ?? systemFolderOf(before);
  const { runs } = folder === undefined ? { runs: [] } : readStoredRuns(folder);
  const own = [before.plan.run, after.plan.run];
  const times = new Map<string, number[]>();
  for (const { run, startedAt, trials } of runs) {
    if (own.includes(run) || startedAt >= after.plan.startedAt) continue;
    for (const trial of trials.filter(hasTime)) {
      const of = times.get(trial.id) ?? [];
      times.set(trial.id, of);
      of.push(timeOf(trial));
    }
  }
  return times;
}

function hasTime({ verdict, attempts }: StoredTrial): boolean {
  return verdict === 'passed' && attempts > 0;
}

function timeOf({ durationMs, attempts }: StoredTrial): number {
  return Math.round(durationMs / attempts);
}
