/** Enables Node's compile cache for programs, because a service is restarted for every trial with the same code. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { makeFolderBelow } from '../../kernel/folders/entries-below.ts';
import type { EnvironmentOptions } from '../environment-options.ts';

const variable = 'NODE_COMPILE_CACHE';

/** Coverage needs functions to be compiled separately, so it disables the cache. */
const coverageVariable = 'NODE_V8_COVERAGE';

type Places = Pick<EnvironmentOptions, 'system' | 'hostEnv' | 'workspace' | 'cacheFolder'>;

/** The program's own setting wins; a program that does not run on Node ignores the variable. */
export function withCompiledCode(
  places: Places,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (coverageVariable in env || variable in env) return env;
  const folder = compiledCodeFolder(places);
  if (knowsSecrets(places)) makeFolderBelow(path.dirname(places.workspace), folder, 0o700);
  return { ...env, [variable]: folder };
}

/** Whether anything was ever cached: Node writes when a program exits by itself, never when it is killed. */
export function hasCompiledCode(places: Places): boolean {
  const folder = compiledCodeFolder(places);
  return existsSync(folder) && readdirSync(folder).length > 0;
}

/**
 * Compiled code holds the texts of its source, and any program may load a module with a secret in it, also one that was
 * only sent the secret. So with secrets it ends with the environment.
 */
function compiledCodeFolder(places: Places): string {
  // No service has such a name.
  return knowsSecrets(places)
    ? path.join(places.workspace, '.compiled')
    : path.join(places.cacheFolder, 'node');
}

function knowsSecrets({ system, hostEnv }: Places): boolean {
  return system.secrets.some((name) => Boolean(hostEnv[name]));
}
