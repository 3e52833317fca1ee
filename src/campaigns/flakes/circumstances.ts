/** Under which circumstances a trial was performed: only results of the same circumstances can contradict each other. */
import { createHash } from 'node:crypto';
import type { PlannedTrial } from '../run/run-plan.ts';
import type { StoredPlan } from './stored-runs.ts';

export interface Circumstances {
  /** How it was performed, whatever the version: variant, models, isolation, on whose environment. */
  readonly place: string;
  /** With the same place, the same revision, config and checks; what was uncommitted may differ. */
  readonly version: string;
  /** All of it, where that is known: nothing can have changed then. */
  readonly exact: string | undefined;
}

export function circumstancesIn(plan: StoredPlan): (id: string) => Circumstances {
  const trials = new Map(plan.trials.map((trial) => [trial.id, trial]));
  const modes = modesOf(plan);
  const isKnown = typeof plan.revision === 'string' && plan.uncommitted !== undefined;
  return (id) => {
    const trial = trials.get(id);
    const place = hashOf([plan.variant, plan.attached, trial?.isolation, modes]);
    const version = hashOf([place, plan.revision ?? null, plan.system.configHash, checksOf(trial)]);
    return { place, version, exact: isKnown ? hashOf([version, plan.uncommitted]) : undefined };
  };
}

/** A trial that passes with a script and fails with a real model is no flake. */
function modesOf({ system }: StoredPlan): readonly unknown[] {
  return (system.resources ?? []).map((resource) => ('mode' in resource ? resource.mode : null));
}

/** Another line is not another check. */
function checksOf(trial: PlannedTrial | undefined): readonly unknown[] {
  return (trial?.checks ?? []).map(({ line: _line, ...check }) => check);
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
