/** Bounded waiting: poll a condition until it holds, or say that it did not in time. */
import type { Clock } from './clock.ts';

export interface Patience {
  readonly withinMs: number;
  /** First pause between two looks; it grows up to `mostMs`. */
  readonly firstMs?: number;
  readonly mostMs?: number;
  readonly signal?: AbortSignal;
}

/** Looks until the answer is not undefined; gives undefined when time is up. Rejects only when aborted or when looking throws. */
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

/** Gives the promise's answer, or undefined when it takes longer than allowed. The promise itself goes on. */
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
