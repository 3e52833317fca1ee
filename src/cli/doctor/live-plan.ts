/** What the doctor would do to the user's own system: boot it, and one trial through each way in. */

import { obstaclesFor } from '../../campaigns/doctor/obstacles.ts';
import { missingKeys } from '../../campaigns/doctor/real-peers.ts';
import { type PastTrial, planSmoke, type Visit } from '../../campaigns/doctor/smoke-plan.ts';
import { unmetNeed } from '../../campaigns/run/unmet-need.ts';
import { lastVerdict } from '../run/find-run.ts';
import { type Call, optionText } from '../verb.ts';
import type { SuiteLook } from './suite-look.ts';

export interface LivePlan {
  readonly visits: readonly Visit[];
  /** Of each trial that is performed. */
  readonly past: ReadonlyMap<string, PastTrial>;
  /** Keys without which the system does not boot. */
  readonly missingKeys: readonly string[];
}

type Loaded = Extract<SuiteLook, { readonly kind: 'loaded' }>;

export async function planLive(call: Call, { system, trials, quarantine }: Loaded): Promise<LivePlan> {
  const unmet = new Map<string, string>();
  for (const { record, needs } of trials) {
    const reason = needs.length === 0 ? undefined : await unmetNeed(needs, call.env);
    if (reason !== undefined) unmet.set(record.id, reason);
  }
  const past = pastOf(system.folder);
  const config = optionText(call, 'config');
  const obstacleOf = obstaclesFor({ system, unmet, quarantine, env: call.env, config });
  return {
    visits: planSmoke({ trials, past, obstacleOf }),
    past,
    missingKeys: missingKeys(system, call.env),
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
