/** Waits until all edges are idle, or time is up. */
import { setImmediate as turn } from 'node:timers/promises';
import type { CallEvent } from '../../journal/call-event.ts';
import type { Tap } from '../../taps/tap.ts';
import type { EnvironmentContext } from '../environment-context.ts';
import { lookEveryMs, watchEdge } from './idle-edge.ts';
import type { Requests } from './messages.ts';

export interface Quiet {
  readonly quiet: boolean;
  readonly waitedMs: number;
  /** The edges that were not idle for long enough when time was up, with their traffic during the wait. */
  readonly busy: ReadonlyArray<{ readonly from: string; readonly to: string; readonly bytes: number }>;
  /** Edges with traffic that was not waited for, because of a rule in the config. */
  readonly unwatched: ReadonlyArray<{ readonly from: string; readonly to: string }>;
  /** The time of this answer, in milliseconds on the keeper's journal: later calls have a later `startedAt`. */
  readonly at: number;
  /** The same time on the clock that the processes of a machine share. */
  readonly machineAt: number;
  /**
   * Calls in flight, as far as they have passed: `incomplete: 'in-flight'`, `endedAt` the time of this answer. When one
   * is over, its event has the same `from`, `to` and `crossing`. Open event streams are among them, even when quiet.
   */
  readonly inFlight: readonly CallEvent[];
  /** How many more are in flight that did not fit. */
  readonly inFlightOmitted: number;
}

/** Sleep no longer than this at a time, to notice when the machine delays us. */
const longestSleepMs = 20;

/** A sleep is never exact; a longer delay means that the machine was busy. */
const usualDelayMs = 5;

/** A busy machine delays all processes: extend the settle time by at most this much. */
const mostPatienceMs = 3_000;

export async function waitForQuiet(
  context: Pick<EnvironmentContext, 'book' | 'clock' | 'at' | 'nodes' | 'system' | 'stdioEdges'>,
  { settleMs, withinMs, unusedMs = 0, since = 0 }: Requests['quiet']['params'],
): Promise<Quiet> {
  const { book, clock, at, nodes, system, stdioEdges } = context;
  const startedAt = clock.monotonic();
  const endsAt = startedAt + withinMs;
  const edges = [...book.taps.map(({ tap }) => tap), ...stdioEdges.map((edge) => edge.since(since))];
  const watched = edges.map((edge) => watchEdge(edge, system.edges ?? [], startedAt));
  // Time in which no process could run does not count as silence.
  let patienceMs = 0;
  const isAwaited = awaitedLines(nodes, unusedMs);
  for (;;) {
    const now = clock.monotonic();
    const silenceMs = settleMs === 0 ? 0 : settleMs + patienceMs;
    // Work that the last step triggered may begin after its last byte, so the silence counts from this request on.
    const settledAt = startedAt + silenceMs;
    const busy = watched
      .map((edge) => ({ edge, idleAt: edge.idleAt(silenceMs, now) }))
      .filter(({ idleAt }) => idleAt > now);
    const talkers = [...nodes.values()].filter(({ resource }) => resource?.peer?.isBusy === true);
    const isQuiet = busy.length === 0 && talkers.length === 0 && now >= settledAt;
    const isDue = isQuiet && isAwaited(now);
    if ((isQuiet && !isDue) || now >= endsAt) {
      return {
        quiet: isQuiet,
        waitedMs: now - startedAt,
        busy: [
          ...busy.map(({ edge: { tap, passed } }) => ({ from: tap.from, to: tap.to, bytes: passed() })),
          ...talkers.map(({ name }) => ({ from: name, to: 'a pending callback', bytes: 0 })),
        ],
        unwatched: watched
          .filter(({ isLenient, passed }) => isLenient && passed() > 0)
          .map(({ tap: { from, to } }) => ({ from, to })),
        at: at?.(now) ?? now,
        machineAt: now,
        ...callsInFlight(edges),
      };
    }
    // Sleep until the last of them; traffic in between is noticed then.
    const lookAt = Math.max(
      settledAt,
      ...busy.map(({ idleAt }) => idleAt),
      ...talkers.map(() => now + lookEveryMs),
      isDue ? now + lookEveryMs : now,
    );
    const sleepMs = Math.max(1, Math.ceil(Math.min(lookAt, endsAt, now + longestSleepMs) - now));
    await clock.sleep(sleepMs);
    // Process what arrived during the sleep before the next check.
    await turn();
    const takenMs = clock.monotonic() - now - sleepMs - usualDelayMs;
    patienceMs = Math.min(mostPatienceMs, patienceMs + Math.max(0, takenMs) * 2);
  }
}

/**
 * A line that must be used and was not proves that something is still to come, from a worker that is slow to begin, say. Each time
 * that fewer are left, the next one has the whole time. When a service has ended by itself, none is waited for.
 */
function awaitedLines(nodes: EnvironmentContext['nodes'], unusedMs: number): (now: number) => boolean {
  let before = 0;
  let until = 0;
  return (now) => {
    if (unusedMs === 0) return false;
    const all = [...nodes.values()];
    const left = all.reduce((sum, { resource }) => sum + (resource?.peer?.unused?.() ?? 0), 0);
    if (left !== before) until = now + unusedMs;
    before = left;
    return left > 0 && now < until && !all.some(({ state }) => state === 'exited' || state === 'failed');
  };
}

interface CallsInFlight {
  readonly inFlight: readonly CallEvent[];
  readonly inFlightOmitted: number;
}

const mostCalls = 1_000;
/** As JSON; well below the limit for one message. */
const mostChars = 4 * 1024 * 1024;

/** The calls in flight on all edges, as many as fit into one message on the socket. */
export function callsInFlight(taps: readonly Pick<Tap, 'callsInFlight'>[]): CallsInFlight {
  const inFlight: CallEvent[] = [];
  let omitted = 0;
  let chars = 0;
  for (const call of taps.flatMap((tap) => tap.callsInFlight())) {
    const length = JSON.stringify(call).length;
    if (inFlight.length === mostCalls || chars + length > mostChars) omitted += 1;
    else {
      inFlight.push(call);
      chars += length;
    }
  }
  return { inFlight, inFlightOmitted: omitted };
}
