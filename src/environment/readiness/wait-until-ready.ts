/** Looks again and again until a service is ready, its time is up, or somebody gives up on it. */
import { limits } from '../../kernel/limits.ts';
import type { ReadySpec } from '../../system/system.ts';
import { notReady, type Sight } from './look.ts';
import { createLook } from './probe.ts';
import type { ReadinessSubject } from './subject.ts';

export interface Readiness {
  readonly ready: boolean;
  /** What the last look saw when it was not ready. */
  readonly saw: string;
  readonly looks: number;
}

/** Gives `ready: false` when time is up; rejects with the signal's reason when aborted. */
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
  let sight: Sight = notReady('nothing was looked at');
  await clock.sleep(Math.min(pace.firstMs, spec.withinMs / 2), signal);
  for (;;) {
    signal.throwIfAborted();
    const leftMs = endsAt - clock.monotonic();
    const oneLook = AbortSignal.any([
      signal,
      AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(leftMs, limits.readinessProbeMs)))),
    ]);
    const seen = await look(oneLook);
    // A look that was cut short by the deadline tells less than the one before it.
    if (looks === 0 || seen.ready || !oneLook.aborted) sight = seen;
    looks += 1;
    if (sight.ready) return { ready: true, saw: '', looks };
    const pauseMs = pace.pauseMs(clock.monotonic() - startedAt);
    if (clock.monotonic() + pauseMs >= endsAt) return { ready: false, saw: sight.saw, looks };
    await clock.sleep(pauseMs, signal);
  }
}

/** When to look: how long to wait before the first time, and between two. */
interface Pace {
  readonly firstMs: number;
  pauseMs(elapsedMs: number): number;
}

function steadyPace(everyMs: number): Pace {
  return { firstMs: 0, pauseMs: () => everyMs };
}

/**
 * Of something new nothing is known: the looks become rarer by and by. Of something that was ready after so long before, it is
 * known when to look closely; every look before that only takes time away from the start.
 */
function ownPace(readyBeforeMs: number | undefined): Pace {
  const growing = (elapsedMs: number): number => Math.min(Math.max(5, elapsedMs / 5), 100);
  if (readyBeforeMs === undefined) return { firstMs: 0, pauseMs: growing };
  const close = Math.min(Math.max(4, readyBeforeMs / 25), 50);
  return {
    firstMs: readyBeforeMs * 0.6,
    pauseMs: (elapsedMs) => (elapsedMs < readyBeforeMs * 1.5 ? close : growing(elapsedMs)),
  };
}
