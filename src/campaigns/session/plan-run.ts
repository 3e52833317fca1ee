/** Plans a run: which trials, with which isolation, and which are skipped and why. */
import { explanationOf } from '../../checks/explanation.ts';
import type { PlannedQuarantine } from '../../checks/quarantine.ts';
import { defined } from '../../kernel/defined.ts';
import type { PlannedRequirements } from '../../requirements/planned-requirements.ts';
import { trialHash } from '../../requirements/trial-hash.ts';
import type { Isolation, System } from '../../system/system.ts';
import { addedPlugins } from '../../trials/kinds/added-plugins.ts';
import type { Trial } from '../../trials/trial.ts';
import { revisionOf, uncommittedIn } from '../flakes/git-state.ts';
import { variablesHash, variablesIn } from '../flakes/variables-hash.ts';
import type { PlannedTrial, RunIdentity, RunPlan } from '../run/run-plan.ts';
import type { Selected, Selection } from '../run/select-trials.ts';
import { unmetNeed } from '../run/unmet-need.ts';
import type { Host } from './host.ts';
import type { WhoAnswers } from './who-answers.ts';

export interface PlanParts extends RunIdentity, Pick<RunPlan, 'rounds' | 'shuffled' | 'attached' | 'skips'> {
  readonly shard?: Selection['shard'];
  readonly isolation: Isolation | undefined;
  readonly answers: WhoAnswers;
  readonly quarantine?: PlannedQuarantine | undefined;
  readonly requirements?: PlannedRequirements | undefined;
}

export async function planRun(
  host: Host,
  system: System,
  declared: number,
  selected: Selected,
  parts: PlanParts,
): Promise<RunPlan> {
  const { isolation, quarantine, requirements, answers, shard, ...rest } = parts;
  const variables = variablesIn(system);
  const [revision, uncommitted, trials] = await Promise.all([
    revisionOf(system.folder),
    uncommittedIn(system.folder),
    Promise.all(
      selected.trials.map((trial) => planTrial(host, { system, variables }, trial, selected, parts)),
    ),
  ]);
  return {
    schemaVersion: 1,
    kind: 'run',
    ...rest,
    startedAt: new Date(host.clock.now()).toISOString(),
    revision,
    ...defined({ uncommitted, quarantine, requirements, isolation, config: host.config }),
    declared,
    ...(Object.keys(answers).length === 0 ? {} : { answers: { ...answers } }),
    ...(shard ? { shard: { ...shard, selection: selected.chosen } } : {}),
    trials,
    system,
    ...(system.plugins ? { plugins: addedPlugins() } : {}),
  };
}

async function planTrial(
  host: Host,
  { system, variables }: { readonly system: System; readonly variables: ReadonlySet<string> },
  trial: Trial,
  { twins }: Selected,
  parts: PlanParts,
): Promise<PlannedTrial> {
  const { record, needs, attempts, atLeast } = trial;
  const isolation = isolationOf(trial, system, parts);
  const unmet = await unmetNeed(needs, host.env);
  const skipReason =
    unmet ??
    (isolation === undefined ? 'needs a fresh environment, and --attach cannot give one' : undefined);
  return {
    id: record.id,
    ...defined({ title: record.title, skipReason }),
    file: record.file,
    line: record.line,
    tags: record.tags,
    covers: record.covers,
    hash: trialHash(record),
    ...defined({ variables: variablesHash([...variables, ...variablesIn(trial)], host.env) ?? undefined }),
    ...explanationOf(record),
    attempts,
    atLeast,
    isolation: isolation ?? 'fresh',
    checks: record.checks,
    ...(twins.has(record.id) ? { asTwin: true as const } : {}),
  };
}

/** An attached environment is shared, unless a trial demands more isolation; undefined when it demands `fresh`. */
function isolationOf({ isolation }: Trial, system: System, parts: PlanParts): Isolation | undefined {
  if (!parts.attached) return isolation ?? parts.isolation ?? system.isolation;
  if (isolation === 'fresh') return undefined;
  return isolation ?? parts.isolation ?? 'shared';
}
