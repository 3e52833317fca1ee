/** Plans the live checks of the user's own system: boot it, and run one trial through each entry point. */

import { unmetNeed } from '../run/unmet-need.ts';
import { lastVerdict } from '../session/find-run.ts';
import type { Host } from '../session/host.ts';
import type { LoadedSuite } from './load-project.ts';
import { obstaclesFor } from './obstacles.ts';
import { missingKeys } from './real-peers.ts';
import { type PastTrial, planSmoke, type Visit } from './smoke-plan.ts';

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
