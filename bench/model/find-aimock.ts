/** Where @copilotkit/aimock is installed: beside this project, or in a folder that BENCH_PEERS names. */
import { createRequire } from 'node:module';
import path from 'node:path';

export const aimockInstall =
  '@copilotkit/aimock: npm install @copilotkit/aimock (in a folder that BENCH_PEERS names)';

/** The entry of the package, or undefined. */
export function findAimock(env: NodeJS.ProcessEnv): string | undefined {
  const folders = [...(env.BENCH_PEERS?.split(path.delimiter) ?? []), import.meta.dirname];
  for (const folder of folders.filter((one) => one !== '')) {
    try {
      return createRequire(path.join(path.resolve(folder), 'from-here.js')).resolve('@copilotkit/aimock');
    } catch {}
  }
  return undefined;
}
