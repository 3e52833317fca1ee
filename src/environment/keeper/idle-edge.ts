/** When an edge counts as idle: after silence, or by the rule that the config has for it. */
import { hasEdge } from '../../kernel/edge-name.ts';
import type { EdgeSpec } from '../../system/system.ts';
import type { Tap, TapStats } from '../../taps/tap.ts';

export interface IdleEdge {
  readonly tap: Tap;
  /** Bytes since it is watched. */
  passed(): number;
  /** A rule of the config let something pass that was not waited for. */
  readonly isLenient: boolean;
  /** When it will have been idle for long enough, if nothing comes; not before the next look while something is under way. */
  idleAt(silenceMs: number, now: number): number;
}

/** How often to look at an edge of which nobody can say when it will be idle. */
export const lookEveryMs = 10;

export function watchEdge(tap: Tap, rules: readonly EdgeSpec[], startedAt: number): IdleEdge {
  const idle = rules.find((rule) => hasEdge([`${tap.from} -> ${tap.to}`], rule))?.idle;
  const before = bytesIn(tap.stats());
  const passed = (): number => bytesIn(tap.stats()) - before;
  const common = { tap, passed, isLenient: idle !== undefined };
  if (idle === undefined)
    return { ...common, idleAt: (silenceMs, now) => silentAt(tap.stats(), silenceMs, now) };
  if (idle === 'ignore') return { ...common, idleAt: () => 0 };
  const perMs = idle.belowPerSecond / 1_000;
  // What passes fills a vessel that drains at the rate: busy while it holds more than may pass in the time of silence.
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

function silentAt(stats: TapStats, silenceMs: number, now: number): number {
  const settledAt = stats.lastActivityAt + silenceMs;
  return isUnderWay(stats) ? Math.max(settledAt, now + lookEveryMs) : settledAt;
}

function isUnderWay({ bytesWaiting, callsInFlight }: TapStats): boolean {
  return bytesWaiting > 0 || callsInFlight > 0;
}

function bytesIn({ bytesSent, bytesReceived }: TapStats): number {
  return bytesSent + bytesReceived;
}
