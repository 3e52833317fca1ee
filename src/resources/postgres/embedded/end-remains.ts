/** Removes what a killed PostgreSQL server leaves: children in sessions of their own, and a piece of shared memory. */
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { waitFor } from '../../../kernel/deadline.ts';
import { limits } from '../../../kernel/limits.ts';
import { Problem } from '../../../kernel/problem.ts';
import { absentOn } from '../../../kernel/system-error.ts';
import type { EmbeddedForm } from './embedded-form.ts';

/** A server that ended in order has removed its pid file, and there is nothing to do. */
export async function endRemains(form: EmbeddedForm, dataFolder: string): Promise<void> {
  const { context, where, binaries } = form;
  const pidFile = await readFile(path.join(dataFolder, 'postmaster.pid'), 'utf8').catch(absentOn('ENOENT'));
  if (pidFile === undefined) return;
  const folder = await realpath(dataFolder);
  const program = await realpath(binaries.postgres);
  const gone = await waitFor(context.clock, { withinMs: limits.stopWithinMs }, async () => {
    const pids = await processesIn(folder, program);
    for (const pid of pids) kill(pid);
    return pids.length === 0 ? true : undefined;
  });
  await removeSharedMemory(form, pidFile);
  if (gone) return;
  throw new Problem({
    code: 'left.behind',
    where,
    what: `processes of PostgreSQL do not end: ${(await processesIn(folder, program)).join(', ')}`,
    allowed: 'no process that works in the data folder',
    next: `look at them: ps -fp ${(await processesIn(folder, program)).join(',')}`,
  });
}

/** Every process of a server has its data folder as working folder; a person's shell there runs another program. */
async function processesIn(folder: string, program: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [at, runs] = await Promise.all(
        ['cwd', 'exe'].map((name) => readlink(`/proc/${pid}/${name}`).catch(() => '')),
      );
      return at === folder && runs === program ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It ended in the meantime, or belongs to another user: what is still there in the end is named.
    absentOn('ESRCH', 'EPERM')(error);
  }
}

/** The 56 bytes by which a server notices a second one on its data; their id is in the pid file's seventh line. */
async function removeSharedMemory({ context, launcher }: EmbeddedForm, pidFile: string): Promise<void> {
  const id = /^\s*\d+\s+(\d+)\s*$/.exec(pidFile.split('\n')[6] ?? '')?.[1];
  if (id === undefined) return;
  const env = { PATH: context.hostEnv.PATH ?? '/usr/bin:/bin' };
  // As the user that wrote the file: it may name a process of another user.
  const { as, prefix } = launcher;
  const argv = [...prefix, 'ipcrm', '-m', id];
  const removal = context.start({ argv, env, cwd: '/', step: true, ...(as ? { as } : {}) });
  await removal.then((remover) => remover.exited).catch(() => undefined); // without ipcrm they stay until the machine restarts
}
