/** Plans the live checks of the user's own system: boot it, and run one trial through each entry point. */

import { type QuarantineEntry, speaksOf } from '../../checks/quarantine.ts';
import { reachedFrom } from '../../kernel/reached-from.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import { stepKind } from '../../kinds/step-kinds.ts';
import type { ResourceSpec, System } from '../../system/system.ts';
import { knownEdges } from '../../trials/known-edges.ts';
import type { Trial } from '../../trials/trial.ts';
import { unmetNeed } from '../run/unmet-need.ts';
import { lastVerdict } from '../session/find-run.ts';
import type { Host } from '../session/host.ts';
import type { LoadedSuite } from './load-project.ts';
import { type Obstacle, type PastTrial, planSmoke, type Visit } from './smoke-plan.ts';

export interface LivePlan {
  readonly visits: readonly Visit[];
  /** Of each trial that is run. */
  readonly past: ReadonlyMap<string, PastTrial>;
  /** Keys without which the system does not boot. */
  readonly missingKeys: readonly string[];
}

export async function planLive(host: Host, { system, trials, quarantine }: LoadedSuite): Promise<LivePlan> {
  const unmet = new Map<string, string>();
  for (const { record, needs } of trials) {
    const reason = needs.length === 0 ? undefined : await unmetNeed(needs, host.env);
    if (reason !== undefined) unmet.set(record.id, reason);
  }
  const past = pastOf(system.folder);
  const config = host.config;
  const obstacleOf = obstaclesFor({ system, unmet, quarantine, env: host.env, config });
  return {
    visits: planSmoke({ trials, past, obstacleOf }),
    past,
    missingKeys: missingKeys(system, host.env),
  };
}

function pastOf(systemFolder: string): ReadonlyMap<string, PastTrial> {
  const performed = (lastVerdict(systemFolder)?.trials ?? []).filter(({ attempts }) => attempts > 0);
  return new Map(
    performed.map(({ id, verdict, durationMs, attempts }) => [
      id,
      { hasPassed: verdict === 'passed', attemptMs: durationMs / attempts },
    ]),
  );
}

interface ObstacleParts {
  readonly system: System;
  /** What the machine lacks, by trial. */
  readonly unmet: ReadonlyMap<string, string>;
  readonly quarantine: readonly QuarantineEntry[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As named on the command line. */
  readonly config?: string | undefined;
}

/** Why the doctor does not perform a trial, and the exact command that would perform it. */
function obstaclesFor(parts: ObstacleParts): (trial: Trial) => Obstacle | undefined {
  const { system, unmet, quarantine, config, env } = parts;
  return (trial) => {
    const { id, expectedFailure } = trial.record;
    const command = runCommand(id, config);
    const lack = unmet.get(id);
    if (lack !== undefined) return { why: lack, command: `${setting(trial, env)}${command}` };
    const real = mayReach(system, trial);
    if (real.length > 0)
      return { why: `it may call the real ${real.join(', ')}, which costs money or needs a key`, command };
    if (expectedFailure) return { why: `it is known to fail: ${expectedFailure.because}`, command };
    const entry = quarantine.find((one) => speaksOf(one, id));
    if (entry) return { why: `it is in quarantine until ${entry.until} (${entry.owner})`, command };
    return undefined;
  };
}

function runCommand(id: string, config: string | undefined): string {
  const named = config === undefined ? '' : ` --config ${shellWord(config)}`;
  return `shakedown run${named} ${shellWord(id)}`;
}

/** Variables that it needs and that are not set are put in front of the command. */
function setting({ needs }: Trial, env: ObstacleParts['env']): string {
  return needs
    .flatMap((need) => (need.kind === 'env' && !env[need.name] ? [`${need.name}=… `] : []))
    .join('');
}

/** The resources that forward to a real provider. */
function realPeers({ resources }: System): readonly string[] {
  return resources.filter(isReal).map(({ name }) => name);
}

/** Key variables that real providers need and that are not set: the system does not boot without them. */
function missingKeys(
  { resources }: System,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const keys = resources.filter(isReal).flatMap(keysOf);
  return [...new Set(keys)].filter((key) => !env[key]);
}

/** The real providers that a trial may reach from the services it calls; all of them if that is not known. */
function mayReach(system: System, { record, steps }: Trial): readonly string[] {
  const real = realPeers(system);
  if (real.length === 0) return [];
  const isOpen = record.kind === 'flow' || steps.some(({ kind }) => stepKind(kind).startsProgram);
  if (isOpen) return real;
  const edges = knownEdges(system).map((edge) => edge.split(' -> ').map((end) => end.split('.')[0] ?? ''));
  const called = record.steps.flatMap(({ to }) => (to === undefined ? [] : [to]));
  const reached = reachedFrom(called, (name) =>
    edges.flatMap(([from, to]) => (from === name && to ? [to] : [])),
  );
  return real.filter((name) => reached.has(name));
}

function isReal(resource: ResourceSpec): boolean {
  return 'mode' in resource && (resource.mode === 'live' || resource.mode === 'record');
}

function keysOf(resource: ResourceSpec): readonly string[] {
  return (resourceKind(resource).upstreams?.(resource) ?? []).flatMap(({ key }) => key ?? []);
}
