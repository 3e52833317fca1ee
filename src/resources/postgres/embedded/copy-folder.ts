/** Copies a data folder with owners and modes, as fast as the file system can. */
import { rm } from 'node:fs/promises';
import { Problem } from '../../../kernel/problem.ts';
import type { ResourceContext } from '../../resource.ts';
import { runStep } from './run-step.ts';

/** `cp` keeps owners, clones blocks where the file system shares them, and takes a fifth of the time of `fs.cp`. */
export async function copyFolder(
  context: ResourceContext,
  where: string,
  from: string,
  to: string,
): Promise<void> {
  const options = process.platform === 'linux' ? ['-a', '--reflink=auto'] : ['-Rp'];
  const { code, said } = await runStep(context, {
    argv: ['cp', ...options, from, to],
    env: { PATH: context.hostEnv.PATH ?? '/usr/bin:/bin' },
    cwd: '/',
  });
  if (code === 0) return;
  await rm(to, { recursive: true, force: true });
  throw new Problem({
    code: said.some((line) => line.includes('No space left')) ? 'world.disk-full' : 'boot.resource-failed',
    where,
    what: `${from} could not be copied to ${to}`,
    allowed: 'about 40 MB of free space and a folder that can be written to',
    next: 'make room, then run the same command again',
    evidence: said,
  });
}
