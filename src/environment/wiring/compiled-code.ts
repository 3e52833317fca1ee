/** Enables Node's compile cache for programs, because a service is restarted for every trial with the same code. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const variable = 'NODE_COMPILE_CACHE';

/** Coverage needs functions to be compiled separately, so it disables the cache. */
const coverageVariable = 'NODE_V8_COVERAGE';

/** The program's own setting wins; a program that does not run on Node ignores the variable. */
export function withCompiledCode(
  cacheFolder: string,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return coverageVariable in env ? env : { [variable]: compiledCodeFolder(cacheFolder), ...env };
}

/** Whether anything was ever cached: Node writes when a program exits by itself, never when it is killed. */
export function hasCompiledCode(cacheFolder: string): boolean {
  const folder = compiledCodeFolder(cacheFolder);
  return existsSync(folder) && readdirSync(folder).length > 0;
}

function compiledCodeFolder(cacheFolder: string): string {
  return path.join(cacheFolder, 'node');
}
