/** A suite as its rules see it: trials, the modules of flows, the commands and scripts that it runs, its allowances. */
import { readConfig } from '../../../system/read-config.ts';
import type { DocumentPath } from '../../../system/source/document-path.ts';
import type { SuitePolicy, System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { globMatcher } from '../matching-globs.ts';
import type { LintPlace } from '../rule.ts';
import { findCommands, findScripts, type SuiteCommand, type SuiteScript } from './suite-commands.ts';
import { findSuiteModules, type SuiteModule } from './suite-modules.ts';

export interface Suite {
  readonly system: System;
  readonly trials: readonly Trial[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly modules: readonly SuiteModule[];
  readonly commands: readonly SuiteCommand[];
  readonly scripts: readonly SuiteScript[];
  readonly allowances: Allowances;
  readonly inConfig: ConfigPlace;
}

export async function openSuite(system: System, trials: readonly Trial[], env: Suite['env']): Promise<Suite> {
  const modules = await findSuiteModules(system, trials);
  const commands = findCommands(system, trials, modules);
  const scripts = findScripts(system, commands);
  const allowances = openAllowances(system.suite);
  return { system, trials, env, modules, commands, scripts, allowances, inConfig: configPlaces(system) };
}

/** The location of a part of the config; without a path, of the config. */
type ConfigPlace = (path?: DocumentPath) => Promise<LintPlace>;

/** The file is read again only if there is something to report. */
export function configPlaces({ file, folder }: System): ConfigPlace {
  let read: ReturnType<typeof readConfig> | undefined;
  return async (path) => {
    read ??= readConfig(file);
    const { source } = await read;
    const line = path ? source.keyPosition(path).line : 1;
    return { file: source.file.slice(folder.length + 1), line };
  };
}

type AllowanceKey = 'imports' | 'writes' | 'sleeps';

/** What the policy of the suite allows. */
interface Allowances {
  /** A file of the suite, or a module by its path or package name. */
  allow(key: AllowanceKey, file: string): boolean;
  /** Globs that allowed nothing so far. */
  idle(): readonly { readonly key: AllowanceKey; readonly glob: string; readonly index: number }[];
}

function openAllowances(policy: SuitePolicy = {}): Allowances {
  const globs = (['imports', 'writes', 'sleeps'] as const).flatMap((key) =>
    (policy[key]?.allow ?? []).map((glob, index) => ({ key, glob, index, matches: globMatcher(glob) })),
  );
  const used = new Set<string>();
  return {
    allow: (key, file) => {
      const found = globs.find((one) => one.key === key && (one.matches(file) || file === one.glob));
      if (found) used.add(`${key} ${found.glob}`);
      return found !== undefined;
    },
    idle: () => globs.filter(({ key, glob }) => !used.has(`${key} ${glob}`)),
  };
}
