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
  const endsAt = clock.monotonic() + spec.withinMs;
  let pauseMs = spec.everyMs ?? 5;
  let looks = 0;
  let sight: Sight = notReady('nothing was looked at');
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
    if (clock.monotonic() + pauseMs >= endsAt) return { ready: false, saw: sight.saw, looks };
    await clock.sleep(pauseMs, signal);
    pauseMs = spec.everyMs ?? Math.min(pauseMs * 1.25, 100);
  }
}
