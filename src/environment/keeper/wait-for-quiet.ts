/** Waits until nothing passes any edge any more, as long as somebody is willing to wait. */
import { setImmediate as turn } from 'node:timers/promises';
import type { CallEvent } from '../../journal/call-event.ts';
import type { EnvironmentContext } from '../environment-context.ts';
import { callsInFlight } from './calls-in-flight.ts';
import { lookEveryMs, watchEdge } from './idle-edge.ts';

export interface Quiet {
  readonly quiet: boolean;
  readonly waitedMs: number;
  /** The edges that were not idle for long enough when time was up, with what passed them while it was waited. */
  readonly busy: ReadonlyArray<{ readonly from: string; readonly to: string; readonly bytes: number }>;
  /** Edges on which something passed that was not waited for, because the config says so. */
  readonly unwatched: ReadonlyArray<{ readonly from: string; readonly to: string }>;
  /** When this was answered, in milliseconds on the keeper's journal: calls that begin later have a later `startedAt`. */
  readonly at: number;
  /** The same moment on the clock that the processes of a machine share. */
  readonly machineAt: number;
  /**
   * Calls that are not over, as far as they have passed: `incomplete: 'in-flight'`, `endedAt` the moment of this answer. When one
   * is over, its event has the same `from`, `to` and `crossing`. Streams of events that are open are among them, even in quiet.
   */
  readonly inFlight: readonly CallEvent[];
  /** So many more are in flight; there was no room for them. */
  readonly inFlightOmitted: number;
}

/** No longer than this at a time, so that it shows when the machine keeps us waiting. */
const longestSleepMs = 20;

/** A sleep is never exact; what is longer than this was taken from us. */
const usualDelayMs = 5;

/** What a crowded machine takes from us it takes from everybody: so much is given back at most. */
const mostPatienceMs = 3_000;

export async function waitForQuiet(
  { book, clock, at, nodes, system }: Pick<EnvironmentContext, 'book' | 'clock' | 'at' | 'nodes' | 'system'>,
  { settleMs, withinMs }: { readonly settleMs: number; readonly withinMs: number },
): Promise<Quiet> {
  const startedAt = clock.monotonic();
  const endsAt = startedAt + withinMs;
  const watched = book.taps.map(({ tap }) => watchEdge(tap, system.edges ?? [], startedAt));
  // Time in which nobody was let work is no silence.
  let patienceMs = 0;
  for (;;) {
    const now = clock.monotonic();
    const silenceMs = settleMs === 0 ? 0 : settleMs + patienceMs;
    // Whatever the last step has set off may begin only after the last byte, so the silence counts from the question on.
    const settledAt = startedAt + silenceMs;
    const busy = watched
      .map((edge) => ({ edge, idleAt: edge.idleAt(silenceMs, now) }))
      .filter(({ idleAt }) => idleAt > now);
    const talkers = [...nodes.values()].filter(({ resource }) => resource?.peer?.isBusy === true);
    const isQuiet = busy.length === 0 && talkers.length === 0 && now >= settledAt;
    if (isQuiet || now >= endsAt) {
      return {
        quiet: isQuiet,
        waitedMs: now - startedAt,
        busy: [
          ...busy.map(({ edge: { tap, passed } }) => ({ from: tap.from, to: tap.to, bytes: passed() })),
          ...talkers.map(({ name }) => ({ from: name, to: 'whom it has still to call', bytes: 0 })),
        ],
        unwatched: watched
          .filter(({ isLenient, passed }) => isLenient && passed() > 0)
          .map(({ tap: { from, to } }) => ({ from, to })),
        at: at?.() ?? clock.monotonic(),
        machineAt: clock.monotonic(),
        ...callsInFlight(book.taps.map(({ tap }) => tap)),
      };
    }
    // The last of them decides; whatever passes meanwhile is seen then.
    const lookAt = Math.max(
      settledAt,
      ...busy.map(({ idleAt }) => idleAt),
      ...talkers.map(() => now + lookEveryMs),
    );
    const sleepMs = Math.max(1, Math.ceil(Math.min(lookAt, endsAt, now + longestSleepMs) - now));
    await clock.sleep(sleepMs);
    // What came while we slept is read before we look.
    await turn();
    const takenMs = clock.monotonic() - now - sleepMs - usualDelayMs;
    patienceMs = Math.min(mostPatienceMs, patienceMs + Math.max(0, takenMs) * 2);
  }
}
