/** Writes down what a run is going to do: which trials, how isolated, and which are skipped and why. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { uncommittedIn } from '../../campaigns/flakes/uncommitted.ts';
import type { PlannedTrial, RunPlan, SkipPolicy } from '../../campaigns/run/run-plan.ts';
import type { Selected } from '../../campaigns/run/select-trials.ts';
import { unmetNeed } from '../../campaigns/run/unmet-need.ts';
import { explanationOf } from '../../checks/explanation.ts';
import type { PlannedQuarantine } from '../../checks/quarantine.ts';
import type { PlannedRequirements } from '../../requirements/planned-requirements.ts';
import { trialHash } from '../../requirements/trial-hash.ts';
import type { Isolation, System } from '../../system/system.ts';
import type { Trial } from '../../trials/trial.ts';
import { toolVersion } from '../tool-version.ts';
import { type Call, optionText } from '../verb.ts';
import type { WhoAnswers } from './who-answers.ts';

export interface PlanParts {
  readonly run: string;
  readonly seed: string;
  readonly variant: Readonly<Record<string, string>>;
  readonly rounds: number;
  readonly shuffled: boolean;
  readonly attached: boolean;
  readonly isolation: Isolation | undefined;
  readonly answers: WhoAnswers;
  readonly skips: SkipPolicy;
  readonly quarantine?: PlannedQuarantine | undefined;
  readonly requirements?: PlannedRequirements | undefined;
}

export async function planRun(
  call: Call,
  system: System,
  declared: number,
  selected: Selected,
  parts: PlanParts,
): Promise<RunPlan> {
  const { run, seed, variant, rounds, shuffled, attached, isolation, skips, quarantine } = parts;
  const config = optionText(call, 'config');
  const [revision, uncommitted, trials] = await Promise.all([
    revisionOf(system.folder),
    uncommittedIn(system.folder),
    Promise.all(selected.trials.map((trial) => planTrial(call, system, trial, selected, parts))),
  ]);
  return {
    schemaVersion: 1,
    kind: 'run',
    tool: `shakedown ${toolVersion()}`,
    run,
    seed,
    startedAt: new Date(call.clock.now()).toISOString(),
    revision,
    ...(uncommitted === undefined ? {} : { uncommitted }),
    variant,
    declared,
    skips,
    ...(quarantine ? { quarantine } : {}),
    ...(parts.requirements ? { requirements: parts.requirements } : {}),
    rounds,
    shuffled,
    attached,
    ...(isolation === undefined ? {} : { isolation }),
    ...(Object.keys(parts.answers).length === 0 ? {} : { answers: parts.answers }),
    ...(config === undefined ? {} : { config }),
    trials,
    system,
  };
}

async function planTrial(
  call: Call,
  system: System,
  trial: Trial,
  { twins }: Selected,
  parts: PlanParts,
): Promise<PlannedTrial> {
  const { record, needs, attempts, atLeast } = trial;
  const isolation = isolationOf(trial, system, parts);
  const unmet = await unmetNeed(needs, call.env);
  const skipReason =
    unmet ??
    (isolation === undefined ? 'needs a fresh environment, and --attach cannot give one' : undefined);
  return {
    id: record.id,
    ...(record.title === undefined ? {} : { title: record.title }),
    file: record.file,
    line: record.line,
    tags: record.tags,
    covers: record.covers,
    hash: trialHash(record),
    ...explanationOf(record),
    attempts,
    atLeast,
    isolation: isolation ?? 'fresh',
    checks: record.checks,
    ...(skipReason === undefined ? {} : { skipReason }),
    ...(twins.has(record.id) ? { asTwin: true as const } : {}),
  };
}

/** An environment that somebody holds open is shared, unless a trial asks for more; undefined when it asks for too much. */
function isolationOf({ isolation }: Trial, system: System, parts: PlanParts): Isolation | undefined {
  if (!parts.attached) return isolation ?? parts.isolation ?? system.isolation;
  if (isolation === 'fresh') return undefined;
  return isolation ?? parts.isolation ?? 'shared';
}

/** Null where there is no git, or no commit yet. */
export async function revisionOf(folder: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', 'HEAD'], {
      cwd: folder,
      timeout: 2_000,
    });
    return stdout.trim();
  } catch {
    return null; // a folder outside of git is as good as any other
  }
}
