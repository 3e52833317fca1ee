/** Polls until a service is ready, its time is up, or the wait is aborted. */
import { limits } from '../../kernel/limits.ts';
import type { ReadySpec } from '../../system/system.ts';
import { notReady, type Sight } from './look.ts';
import { createLook } from './probe.ts';
import type { ReadinessSubject } from './subject.ts';

export interface Readiness {
  readonly ready: boolean;
  /** What the last check found when it was not ready. */
  readonly saw: string;
  readonly looks: number;
}

/** Returns `ready: false` when time is up; rejects with the signal's reason when aborted. */
export async function waitUntilReady(
  spec: ReadySpec,
  subject: ReadinessSubject,
  signal: AbortSignal,
): Promise<Readiness> {
  const { clock } = subject;
  const look = createLook(spec, subject);
  const startedAt = clock.monotonic();
  const endsAt = startedAt + spec.withinMs;
  const pace = spec.everyMs === undefined ? ownPace(subject.readyBeforeMs) : steadyPace(spec.everyMs);
  let looks = 0;
  let sight: Sight = notReady('nothing was checked');
  await clock.sleep(Math.min(pace.firstMs, spec.withinMs / 2), signal);
  for (;;) {
    signal.throwIfAborted();
    const leftMs = endsAt - clock.monotonic();
    const oneLook = AbortSignal.any([
      signal,
      AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(leftMs, limits.readinessProbeMs)))),
    ]);
    const lookedAt = clock.monotonic();
    const seen = await look(oneLook);
    const lookMs = clock.monotonic() - lookedAt;
    // A check that was cut short by the deadline says less than the one before it.
    if (looks === 0 || seen.ready || !oneLook.aborted) sight = seen;
    looks += 1;
    if (sight.ready) return { ready: true, saw: '', looks };
    const pauseMs = pace.pauseMs(clock.monotonic() - startedAt, lookMs);
    if (clock.monotonic() + pauseMs >= endsAt) return { ready: false, saw: sight.saw, looks };
    await clock.sleep(pauseMs, signal);
  }
}

/** When to check: the delay before the first check, and between two. */
interface Pace {
  readonly firstMs: number;
  pauseMs(elapsedMs: number, lookMs: number): number;
}

function steadyPace(everyMs: number): Pace {
  return { firstMs: 0, pauseMs: () => everyMs };
}

/** A check that takes time, because it starts a program, leaves the service as much of it. */
const mostCostMs = 500;

/**
 * For a first start, the checks gradually become rarer. For a service that was ready after a known time before, check
 * often around that time; earlier checks would only slow down the start.
 */
function ownPace(readyBeforeMs: number | undefined): Pace {
  const growing = (elapsedMs: number, lookMs: number): number =>
    Math.max(Math.min(Math.max(5, elapsedMs / 5), 100), Math.min(lookMs, mostCostMs));
  if (readyBeforeMs === undefined) return { firstMs: 0, pauseMs: growing };
  const close = Math.min(Math.max(4, readyBeforeMs / 25), 50);
  return {
    firstMs: readyBeforeMs * 0.6,
    pauseMs: (elapsedMs, lookMs) => (elapsedMs < readyBeforeMs * 1.5 ? close : growing(elapsedMs, lookMs)),
  };
}
