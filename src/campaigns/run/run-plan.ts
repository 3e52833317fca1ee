/** What a run is going to do, stored as `plan.json` before it begins; judging needs it and the journals only. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Explanation } from '../../checks/explanation.ts';
import type { PlannedQuarantine } from '../../checks/quarantine.ts';
import type { CheckRecord, TrialName } from '../../checks/trial-record.ts';
import { redactOurs } from '../../journal/redact-values.ts';
import type { Redactor } from '../../journal/redaction.ts';
import { openDocument, sealDocument } from '../../journal/seal.ts';
import { writeClean } from '../../journal/write-redacted.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { readPlainFile } from '../../kernel/folders/own-file.ts';
import { isListOf, isMap, isText, type JsonMap } from '../../kernel/is-map.ts';
import { Problem, type ProblemData } from '../../kernel/problem.ts';
import type { PluginDescription } from '../../plugins/description.ts';
import { addPluginKinds } from '../../plugins/plugin-kinds.ts';
import type { PlannedRequirements } from '../../requirements/planned-requirements.ts';
import type { Isolation, System } from '../../system/system.ts';

/** Who made a run, and what its random choices were. */
export interface RunIdentity {
  readonly run: string;
  readonly seed: string;
  readonly variant: Readonly<Record<string, string>>;
  readonly tool: string;
}

export interface RunPlan extends RunIdentity {
  readonly schemaVersion: 1;
  readonly kind: 'run';
  readonly startedAt: string;
  readonly revision: string | null;
  /** A hash of uncommitted changes; null if there were none, absent if unknown. */
  readonly uncommitted?: string | null;
  /** How many trials the suite declares, selected or not. */
  readonly declared: number;
  readonly skips: SkipPolicy;
  /** Absent when nothing is in quarantine. */
  readonly quarantine?: PlannedQuarantine;
  /** Absent when the system declares no requirements. */
  readonly requirements?: PlannedRequirements;
  /** How often each is performed; a trial that both passes and fails is unstable. */
  readonly rounds: number;
  readonly shuffled: boolean;
  readonly attached: boolean;
  /** Command-line values for trials that do not set their own. */
  readonly isolation?: Isolation;
  /** Options that choose the providers of models and third parties. */
  readonly answers?: Readonly<Record<string, string>>;
  /** The config as named on the command line, if it was. */
  readonly config?: string;
  /** Absent where it is not one of several parts. */
  readonly shard?: PlannedShard;
  readonly trials: readonly PlannedTrial[];
  readonly system: System;
  /** What the plugins of the config brought; absent when it has none. */
  readonly plugins?: readonly PluginDescription[];
}

/** A run that performs one part of what was selected; all of them together are one verdict. */
export interface PlannedShard {
  readonly index: number;
  readonly of: number;
  /** The ids of all parts, without twins that are performed besides. */
  readonly selection: readonly string[];
}

export type SkipPolicy = 'allow' | 'forbid' | { readonly atMost: number };

export interface PlannedTrial extends Explanation, TrialName {
  /** A hash of what it does and checks; absent in plans of older versions. */
  readonly hash?: string;
  /** A hash of the variables of the environment that it and its system refer to; absent when there are none. */
  readonly variables?: string;
  readonly attempts: number;
  readonly atLeast: Readonly<Record<string, number>>;
  readonly isolation: Isolation;
  readonly checks: readonly CheckRecord[];
  /** Why it is not performed. */
  readonly skipReason?: string;
  /** Not selected itself; performed because it proves an absence. */
  readonly asTwin?: true;
}

/** How the run went, apart from the trials: `outcome.json`. */
export interface RunOutcome {
  /** Why no environment was available. */
  readonly problems: readonly ProblemData[];
  readonly leaks: readonly string[];
  readonly interruptedBy?: string;
  /** It ended at the first failure, as requested. */
  readonly stopped?: boolean;
  /** A budget was spent and nothing more was started: the spending, as text. */
  readonly budgetSpent?: string;
  readonly durationMs: number;
}

export function writeRunPlan(folder: string, plan: RunPlan, redactor: Redactor): void {
  writeClean(path.join(folder, 'plan.json'), sealDocument(redactOurs(plan, redactor, 'hidden')));
}

export function writeOutcome(folder: string, outcome: RunOutcome, redactor: Redactor): void {
  writeClean(path.join(folder, 'outcome.json'), sealDocument(redactOurs(outcome, redactor, 'spared')));
}

/** The kinds of its plugins are known from then on, without the plugins. */
export function readRunPlan(folder: string): RunPlan {
  const file = path.join(folder, 'plan.json');
  const plan = readJson(file);
  if (!isMap(plan) || plan.schemaVersion !== 1 || plan.kind !== 'run')
    throw unreadable(file, 'it is not the plan of a `shakedown run`, or of another version');
  if (!isPlan(plan)) throw unreadable(file, 'the plan lacks the system, the trials, or a part of them');
  addPluginKinds(plan.plugins ?? []);
  return plan;
}

/** The id of a run of any kind, from its plan. */
export function plannedRun(folder: string): string {
  const file = path.join(folder, 'plan.json');
  const plan = readJson(file);
  if (isMap(plan) && typeof plan.run === 'string') return plan.run;
  throw unreadable(file, 'the plan does not name its run');
}

/** Absent when the run was killed. */
export function readOutcome(folder: string): RunOutcome | undefined {
  const file = path.join(folder, 'outcome.json');
  if (!existsSync(file)) return undefined;
  const outcome = readJson(file);
  if (!isOutcome(outcome)) throw unreadable(file, 'outcome.json does not have the form that a run writes');
  return outcome;
}

/** Checks only what judging needs. */
function isPlan(plan: JsonMap): plan is JsonMap & RunPlan {
  const { system, trials, requirements, quarantine } = plan;
  return (
    isMap(system) &&
    typeof system.name === 'string' &&
    typeof plan.run === 'string' &&
    typeof plan.rounds === 'number' &&
    isMap(plan.variant) &&
    // A run that selects nothing does not start.
    isListOf(trials, isPlannedTrial) &&
    (trials as readonly unknown[]).length > 0 &&
    (plan.plugins === undefined || isListOf(plan.plugins, isMap)) &&
    (plan.shard === undefined || isShard(plan.shard)) &&
    (quarantine === undefined || hasLists(quarantine, ['entries'])) &&
    (requirements === undefined || hasLists(requirements, ['requirements', 'declared', 'findings']))
  );
}

function isShard(shard: unknown): boolean {
  return (
    isMap(shard) &&
    typeof shard.index === 'number' &&
    typeof shard.of === 'number' &&
    isListOf(shard.selection, isText)
  );
}

function hasLists(value: unknown, names: readonly string[]): boolean {
  return isMap(value) && names.every((name) => isListOf(value[name], isMap));
}

function isPlannedTrial(trial: unknown): boolean {
  return (
    isMap(trial) &&
    typeof trial.id === 'string' &&
    typeof trial.file === 'string' &&
    typeof trial.attempts === 'number' &&
    isMap(trial.atLeast) &&
    isListOf(trial.tags, isText) &&
    isListOf(trial.covers, isText) &&
    isListOf(trial.checks, isMap)
  );
}

function isOutcome(outcome: unknown): outcome is JsonMap & RunOutcome {
  return (
    isMap(outcome) &&
    typeof outcome.durationMs === 'number' &&
    isListOf(outcome.leaks, isText) &&
    isListOf(
      outcome.problems,
      (one) => isMap(one) && isText(one.what) && (isText(one.where) || isMap(one.where)),
    )
  );
}

function readJson(file: string): unknown {
  try {
    return parseExactJson(openDocument(readPlainFile(file)));
  } catch (error) {
    throw unreadable(file, error instanceof Error ? error.message : String(error));
  }
}

function unreadable(file: string, what: string): Problem {
  return new Problem({
    code: 'run.unreadable',
    where: file,
    what: `the run folder cannot be read: ${what}`,
    allowed: 'the folder of a `shakedown run`, as it was written',
    next: 'name another run (ls .shakedown/runs), or run again: shakedown run',
  });
}
