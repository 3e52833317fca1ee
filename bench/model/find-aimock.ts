/** Where @copilotkit/aimock is installed: beside this project, or in a folder that BENCH_PEERS names. */
import { createRequire } from 'node:module';
import path from 'node:path';

export const aimockInstall =
  '@copilotkit/aimock: npm install @copilotkit/aimock (in a folder that BENCH_PEERS names)';

/** The entry of the package, or undefined. */
export function findAimock(env: NodeJS.ProcessEnv): string | undefined {
  const named = env.BENCH_PEERS?.split(path.delimiter).filter((folder) => folder !== '') ?? [];
  const folders = [...named, import.meta.dirname];
  return folders.map(entryFrom).find((entry) => entry !== undefined);
}

function entryFrom(folder: string): string | undefined {
  try {
    return createRequire(path.join(path.resolve(folder), 'from-here.js')).resolve('@copilotkit/aimock');
  } catch {
    return undefined; // not installed there
  }
}
