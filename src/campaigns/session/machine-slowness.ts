/** How much slower than usual everything is, because the machine has more to do than it can. */
import { availableParallelism, loadavg } from 'node:os';

/** So many processes for each core are usual: most of them wait. */
const usualForACore = 2;
const most = 10;

/** 1 for a machine that is not overloaded, or does not say. */
export function machineSlowness(load = loadavg()[0] ?? 0, cores = availableParallelism()): number {
  return Math.min(most, Math.max(1, load / cores / usualForACore));
}
