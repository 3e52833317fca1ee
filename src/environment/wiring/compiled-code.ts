/** Lets programs that run on Node keep what they compiled: a service is started again for every trial, and its code is the same. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const variable = 'NODE_COMPILE_CACHE';

/** Says that functions must be compiled by themselves, to be counted. */
const coverageVariable = 'NODE_V8_COVERAGE';

/** Whatever the program was told itself wins; a program that does not run on Node takes no notice. */
export function withCompiledCode(
  cacheFolder: string,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return coverageVariable in env ? env : { [variable]: compiledCodeFolder(cacheFolder), ...env };
}

/** Whether anything was ever kept: Node writes at a program's own end, never when it is killed. */
export function hasCompiledCode(cacheFolder: string): boolean {
  const folder = compiledCodeFolder(cacheFolder);
  return existsSync(folder) && readdirSync(folder).length > 0;
}

function compiledCodeFolder(cacheFolder: string): string {
  return path.join(cacheFolder, 'node');
}
