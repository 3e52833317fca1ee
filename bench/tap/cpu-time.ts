/** How much processor time a process has spent so far, in microseconds; undefined where the system does not tell. */
import { readFile } from 'node:fs/promises';

/** What Linux counts in: hundredths of a second, on every machine of today. */
const usPerTick = 10_000;

export async function cpuTimeUs(pid: number): Promise<number | undefined> {
  try {
    const [user, system] =
      (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ').slice(11, 13) ?? [];
    return (Number(user) + Number(system)) * usPerTick;
  } catch {
    return undefined;
  }
}
