/** Looks at two processes until the first has ended: what each took of the memory at most. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../src/kernel/clock.ts';

const everyMs = 50;

export async function peakMegabytes(
  runner: number,
  project: string,
  ended: Promise<unknown>,
): Promise<{ runner: number; keeper: number }> {
  const peak = { runner: 0, keeper: 0 };
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!over) {
    peak.runner = Math.max(peak.runner, highWaterMb(runner));
    for (const keeper of keepersBelow(project)) peak.keeper = Math.max(peak.keeper, highWaterMb(keeper));
    await systemClock.sleep(everyMs);
  }
  return peak;
}

/** The kernel keeps the highest value that a process ever had. */
function highWaterMb(pid: number): number {
  try {
    const [, kilobytes = '0'] =
      /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0; // it has ended
  }
}

/** A keeper works inside of its run folder. */
function keepersBelow(project: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isKeeper(pid, project));
}

function isKeeper(pid: number, project: string): boolean {
  try {
    const where = realpathSync(`/proc/${pid}/cwd`);
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return (
      where.startsWith(path.join(project, '.shakedown')) &&
      title.startsWith('shakedown-keeper') &&
      existsSync(where)
    );
  } catch {
    return false; // it has ended, or is not ours to look at
  }
}
