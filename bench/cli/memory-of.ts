/** What a process takes of the memory, as Linux counts it. */
import { readFile } from 'node:fs/promises';
import type { Scores } from '../side-by-side.ts';

/** Undefined where there is no /proc. */
export async function memoryOf(pid: number): Promise<Scores | undefined> {
  if (process.platform !== 'linux') return undefined;
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const shares = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => ''); // only its owner may read it
  return {
    residentMb: megabytes(status, 'VmRSS'),
    peakMb: megabytes(status, 'VmHWM'),
    proportionalMb: megabytes(shares, 'Pss'),
  };
}

function megabytes(text: string, name: string): number {
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
  return (Number(kibibytes ?? Number.NaN) * 1_024) / 1_000_000;
}
