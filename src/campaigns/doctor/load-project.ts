/** Loads the config and the trials for the checks that depend on them; errors are results. */
import path from 'node:path';
import type { QuarantineEntry } from '../../checks/quarantine.ts';
import { type Problem, problemsIn } from '../../kernel/problem.ts';
import type { System } from '../../system/system.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import { readQuarantine } from '../../trials/quarantine/read-quarantine.ts';
import type { Trial } from '../../trials/trial.ts';
import type { Host } from '../session/host.ts';
import { configFile, openSystem } from '../session/open-system.ts';

export type ConfigLook =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly problems: readonly Problem[] }
  | { readonly kind: 'loaded'; readonly system: System };

/** A missing config is fine, unless one was named or is needed for `--live`. */
export async function loadConfig(host: Host, isLive: boolean): Promise<ConfigLook> {
  try {
    return { kind: 'loaded', system: await openSystem(host) };
  } catch (error) {
    const problems = problemsIn(error);
    const isNeeded = host.config !== undefined || isLive;
    const isAbsent = problems[0]?.code === 'config.not-found' && !isNeeded;
    return isAbsent ? { kind: 'none' } : { kind: 'broken', problems };
  }
}

/** The folder of the config, also when it cannot be loaded. */
export async function folderOf(host: Host): Promise<string> {
  return configFile(host).then(path.dirname, () => host.cwd);
}

export type SuiteLook =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly problems: readonly Problem[] }
  | LoadedSuite;

export interface LoadedSuite {
  readonly kind: 'loaded';
  readonly system: System;
  readonly trials: readonly Trial[];
  readonly quarantine: readonly QuarantineEntry[];
}

/** `none` without a valid config. */
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
