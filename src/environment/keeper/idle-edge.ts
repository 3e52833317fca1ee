/** When an edge counts as idle: after silence, or by its rule in the config. */
import { hasEdge } from '../../kernel/edge-name.ts';
import type { EdgeSpec } from '../../system/system.ts';
import type { Tap, TapStats } from '../../taps/tap.ts';

export type EdgeStats = Pick<
  TapStats,
  'bytesSent' | 'bytesReceived' | 'bytesWaiting' | 'callsInFlight' | 'lastActivityAt'
>;

/** A tap, or an edge whose taps are elsewhere. */
export interface WatchedEdge extends Pick<Tap, 'from' | 'to' | 'callsInFlight'> {
  stats(): EdgeStats;
}

export interface IdleEdge {
  readonly tap: WatchedEdge;
  /** Bytes since the watch began. */
  passed(): number;
  /** A rule of the config applies, so that some traffic is not waited for. */
  readonly isLenient: boolean;
  /**
   * When it will have been idle for long enough without new traffic; not before the next check while a call is in
   * flight.
   */
  idleAt(silenceMs: number, now: number): number;
}

/** How often to check an edge whose idle time cannot be predicted. */
export const lookEveryMs = 10;

export function watchEdge(tap: WatchedEdge, rules: readonly EdgeSpec[], startedAt: number): IdleEdge {
  const idle = rules.find((rule) => hasEdge([`${tap.from} -> ${tap.to}`], rule))?.idle;
  const before = bytesIn(tap.stats());
  const passed = (): number => bytesIn(tap.stats()) - before;
  const common = { tap, passed, isLenient: idle !== undefined };
  if (idle === undefined)
    return { ...common, idleAt: (silenceMs, now) => silentAt(tap.stats(), silenceMs, now) };
  if (idle === 'ignore') return { ...common, idleAt: () => 0 };
  const perMs = idle.belowPerSecond / 1_000;
  // A leaky bucket that drains at the rate: busy while it holds more than may pass in the time of silence.
  let held = 0;
  let seen = 0;
  let at = startedAt;
  const idleAt = (silenceMs: number, now: number): number => {
    const allowed = Math.max(1, perMs * silenceMs);
    const total = passed();
    held = Math.min(2 * allowed, Math.max(0, held - perMs * (now - at)) + total - seen);
    seen = total;
    at = now;
    const stats = tap.stats();
    return isUnderWay(stats) || held > allowed ? now + lookEveryMs : now;
  };
  return { ...common, idleAt };
}

function silentAt(stats: EdgeStats, silenceMs: number, now: number): number {
  const settledAt = stats.lastActivityAt + silenceMs;
  return isUnderWay(stats) ? Math.max(settledAt, now + lookEveryMs) : settledAt;
}

function isUnderWay({ bytesWaiting, callsInFlight }: EdgeStats): boolean {
  return bytesWaiting > 0 || callsInFlight > 0;
}

function bytesIn({ bytesSent, bytesReceived }: EdgeStats): number {
  return bytesSent + bytesReceived;
}
