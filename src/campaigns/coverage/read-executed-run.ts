/** The results of a stored run, as they count for the current suite. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { TrialVerdict } from '../../checks/verdict.ts';
import { badUsage, type Problem } from '../../kernel/problem.ts';
import type { ExecutedResult } from '../../requirements/coverage.ts';
import { judgeRun } from '../run/judge-run.ts';
import { checkedVerdict } from '../run/read-run-verdict.ts';
import { type RunPlan, readRunPlan } from '../run/run-plan.ts';

export interface Today {
  /** Name of the system. */
  readonly system: string;
  /** Trial to the hash of what it does and checks today. */
  readonly hashes: ReadonlyMap<string, string>;
}

/** `shown` is the folder as displayed to the reader. */
export async function readExecutedRun(folder: string, shown: string, today: Today) {
  const plan = readRunPlan(folder);
  if (plan.system.name !== today.system) throw otherSystem(folder, plan, today);
  const { verdict, notes } = await verdictOf(folder, plan);
  const hashes = new Map(plan.trials.map(({ id, hash }) => [id, hash]));
  const usual = variantName(plan.variant);
  const gone = verdict.trials.filter(({ id }) => !today.hashes.has(id)).map(({ id }) => id);
  const results = verdict.trials
    .filter(({ id }) => today.hashes.has(id))
    .map((trial) => asOfToday(trial, usual, hashes.get(trial.id), today.hashes.get(trial.id)));
  const noteOn = (ids: readonly string[], what: string): readonly string[] =>
    ids.length === 0 ? [] : [`run ${plan.run}: ${ids.join(', ')} ${what}`];
  const changed = results.filter(({ because }) => because !== undefined).map(({ trial }) => trial.id);
  return {
    executed: { run: plan.run, folder: shown, startedAt: plan.startedAt, revision: plan.revision, results },
    /** Notes that the reader needs to interpret it. */
    notes: [
      ...notes,
      ...noteOn(gone, `${gone.length === 1 ? 'is' : 'are'} no longer in the suite`),
      ...noteOn(changed, 'changed since, so its results no longer count: shakedown run'),
    ],
  };
}

/** `database=external`; `default` where the config has no matrix. */
function variantName(variant: Readonly<Record<string, string>>): string {
  const parts = Object.entries(variant).map(([name, value]) => `${name}=${value}`);
  return parts.join(',') || 'default';
}

/** A pass of an older version of the trial proves nothing; a failure stays one until the trial is performed again. */
function asOfToday(
  trial: TrialVerdict,
  usual: string,
  then: string | undefined,
  now: string | undefined,
): ExecutedResult {
  const backend = trial.backend ?? usual;
  if (then === undefined || then === now || trial.verdict !== 'passed') return { backend, trial };
  return { backend, trial: { ...trial, verdict: 'unknown' }, because: 'changed since the run' };
}

async function verdictOf(folder: string, plan: RunPlan) {
  if (existsSync(path.join(folder, 'verdict.json')))
    return { verdict: await checkedVerdict(folder), notes: [] };
  return {
    verdict: await judgeRun(folder),
    notes: [`run ${plan.run} did not finish; what it recorded was judged now`],
  };
}

function otherSystem(folder: string, plan: RunPlan, { system }: Today): Problem {
  const what = `this is a run of the system \`${plan.system.name}\``;
  const next = 'name another run, or another config: --config FILE';
  return badUsage(folder, what, `runs of \`${system}\``, next);
}
