/** Waits until nothing passes any edge any more, as long as somebody is willing to wait. */
import type { TapStats } from '../../taps/tap.ts';
import type { EnvironmentContext } from '../environment-context.ts';

export interface Quiet {
  readonly quiet: boolean;
  readonly waitedMs: number;
  /** The edges that were not idle for long enough when time was up. */
  readonly busy: ReadonlyArray<{ readonly from: string; readonly to: string }>;
}

/** How often to look at an edge of which nobody can say when it will be idle. */
const lookEveryMs = 10;

export async function waitForQuiet(
  { book, clock }: Pick<EnvironmentContext, 'book' | 'clock'>,
  { settleMs, withinMs }: { readonly settleMs: number; readonly withinMs: number },
): Promise<Quiet> {
  const startedAt = clock.monotonic();
  const endsAt = startedAt + withinMs;
  for (;;) {
    const now = clock.monotonic();
    const edges = book.taps.map(({ tap }) => ({ tap, idleAt: idleAt(tap.stats(), settleMs, now) }));
    const busy = edges.filter((edge) => edge.idleAt > now);
    if (busy.length === 0 || now >= endsAt) {
      return {
        quiet: busy.length === 0,
        waitedMs: now - startedAt,
        busy: busy.map(({ tap: { from, to } }) => ({ from, to })),
      };
    }
    // The last of them decides; whatever passes meanwhile is seen then.
    const lookAt = Math.max(...busy.map((edge) => edge.idleAt));
    await clock.sleep(Math.max(1, Math.ceil(Math.min(lookAt, endsAt) - now)));
  }
}

/** When it will have been idle for long enough, if nothing comes; not before the next look while something is under way. */
function idleAt(stats: TapStats, settleMs: number, now: number): number {
  const isUnderWay = stats.bytesWaiting > 0 || stats.callsInFlight > 0;
  const settledAt = stats.lastActivityAt + settleMs;
  return isUnderWay ? Math.max(settledAt, now + lookEveryMs) : settledAt;
}
