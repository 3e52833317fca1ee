/** Bounded waiting: polls a condition until it holds or time is up. */
import type { Clock } from './clock.ts';

export interface Patience {
  readonly withinMs: number;
  /** First pause between two polls; it grows up to `mostMs`. */
  readonly firstMs?: number;
  readonly mostMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Polls until the result is not undefined; returns undefined when time is up. Rejects only when aborted or when a poll
 * throws.
 */
export async function waitFor<T>(
  clock: Clock,
  patience: Patience,
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T | undefined> {
  const endsAt = clock.monotonic() + patience.withinMs;
  let pauseMs = patience.firstMs ?? 10;
  for (;;) {
    const answer = await look();
    if (answer !== undefined) return answer;
    const leftMs = endsAt - clock.monotonic();
    if (leftMs <= 0) return undefined;
    await clock.sleep(Math.min(pauseMs, leftMs), patience.signal);
    pauseMs = Math.min(pauseMs * 1.3, patience.mostMs ?? 100);
  }
}

/** Returns the promise's value, or undefined when it takes longer than allowed. The work itself goes on. */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  let cancel: (() => void) | undefined;
  const late = new Promise<undefined>((resolve) => {
    const timer = clock.after(ms, () => resolve(undefined));
    cancel = timer;
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel?.();
  }
}
