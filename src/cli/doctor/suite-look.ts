/** The trials as `run` would load them, for whoever works on them. */
import type { QuarantineEntry } from '../../checks/quarantine.ts';
import { type Problem, problemsIn } from '../../kernel/problem.ts';
import type { System } from '../../system/system.ts';
import { loadTrials } from '../../trials/load-trials.ts';
import { readQuarantine } from '../../trials/quarantine/read-quarantine.ts';
import type { Trial } from '../../trials/trial.ts';
import type { ConfigLook } from './load-config.ts';

export type SuiteLook =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly problems: readonly Problem[] }
  | {
      readonly kind: 'loaded';
      readonly system: System;
      readonly trials: readonly Trial[];
      readonly quarantine: readonly QuarantineEntry[];
    };

/** None where there is no config that could be loaded. */
export async function loadSuite(config: Promise<ConfigLook>): Promise<SuiteLook> {
  const look = await config;
  if (look.kind !== 'loaded') return { kind: 'none' };
  try {
    const { system } = look;
    const trials = await loadTrials(system);
    return { kind: 'loaded', system, trials, quarantine: await readQuarantine(system.folder, trials) };
  } catch (error) {
    return { kind: 'broken', problems: problemsIn(error) };
  }
}
