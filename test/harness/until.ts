/** Waits for a condition, within a limit, and reports the last state when it never held. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Leftovers } from './leftovers.ts';

export async function until<T>(
  what: string,
  withinMs: number,
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean,
): Promise<T> {
  const endsAt = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() > endsAt)
      throw new Error(`${what}: not within ${withinMs} ms; last seen: ${JSON.stringify(seen)}`);
    await pause(20);
  }
}

export const nothing: Leftovers = { processes: [], folders: [], mounts: [], memory: [] };

export function isNothing(left: Leftovers): boolean {
  return Object.values(left).every((things) => things.length === 0);
}
