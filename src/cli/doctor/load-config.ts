/** The config of this folder as far as it can be loaded, for the checks that depend on it. */
import path from 'node:path';
import { type Problem, problemsIn } from '../../kernel/problem.ts';
import type { System } from '../../system/system.ts';
import { configFile, openSystem } from '../open-system.ts';
import { type Call, optionText } from '../verb.ts';

export type ConfigLook =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly problems: readonly Problem[] }
  | { readonly kind: 'loaded'; readonly system: System };

/** No config at all is nothing bad, unless one was named, or is to be tried. */
export async function loadConfig(call: Call): Promise<ConfigLook> {
  try {
    return { kind: 'loaded', system: await openSystem(call) };
  } catch (error) {
    const problems = problemsIn(error);
    const isNeeded = optionText(call, 'config') !== undefined || call.options.live === true;
    const isAbsent = problems[0]?.code === 'config.not-found' && !isNeeded;
    return isAbsent ? { kind: 'none' } : { kind: 'broken', problems };
  }
}

/** The folder of the config, also of one that cannot be loaded. */
export async function folderOf(call: Call): Promise<string> {
  return configFile(call).then(path.dirname, () => call.cwd);
}
