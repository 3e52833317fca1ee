/** Waits for a condition, in turns of the event loop, and reports the one that did not hold. */
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '../../src/kernel/clock.ts';

const patienceMs = 30_000;

export async function eventually(condition: () => boolean, what = String(condition)): Promise<void> {
  const endsAt = systemClock.monotonic() + patienceMs;
  while (!condition()) {
    if (systemClock.monotonic() > endsAt)
      throw new Error(`this did not come true within ${patienceMs} ms: ${what}`);
    await turn();
  }
}

/** Lets everything that is in progress happen: used before an assertion that something did not happen. */
export async function manyTurns(turns = 200): Promise<void> {
  for (let i = 0; i < turns; i += 1) await turn();
}

/** Resolves when the number has stopped changing for many turns. */
export async function settled(count: () => number): Promise<number> {
  let last = Number.NaN;
  while (count() !== last) {
    last = count();
    await manyTurns(1_000);
  }
  return last;
}
