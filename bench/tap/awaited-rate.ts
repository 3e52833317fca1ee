/** How many requests a second one client gets answered that waits for each answer. */

/**
 * By the lower quartile of their times: on a quiet machine that is nearly the mean, and on a crowded one it leaves out those during
 * which others had the processor.
 */
export async function awaitedRate(ask: () => Promise<unknown>, forMs: number): Promise<number> {
  const tookMs: number[] = [];
  const startedAt = performance.now();
  for (let askedAt = startedAt; askedAt - startedAt < forMs; ) {
    await ask();
    const now = performance.now();
    tookMs.push(now - askedAt);
    askedAt = now;
  }
  const sorted = tookMs.sort((a, b) => a - b);
  return 1_000 / (sorted[sorted.length >> 2] ?? Number.NaN);
}
