/** Waits for a condition, within a limit, and says what was seen last when it never held. */
import { setTimeout as pause } from 'node:timers/promises';

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

export const nothing = { processes: [], folders: [] };

export function isNothing(left: { processes: readonly unknown[]; folders: readonly unknown[] }): boolean {
  return left.processes.length === 0 && left.folders.length === 0;
}
