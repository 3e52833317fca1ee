/** Samples, from the first step to the end, checks that must always or never hold. */
import type { CheckRecord } from '../../checks/trial-record.ts';
import type { Attempt } from './attempt.ts';
import { createProbe, type Probe } from './probe.ts';

const everyMs = 50;

export function watchThroughout(
  attempt: Attempt,
  checks: readonly CheckRecord[] = attempt.trial.record.checks,
) {
  const probes = checks
    .filter(({ mode }) => mode === 'never' || mode === 'throughout')
    .map((check) => createProbe(attempt, check));
  let over = false;
  const looking = Promise.all(probes.map((probe) => lookAgain(attempt, probe, () => over)));
  looking.catch(() => undefined); // whoever waits for it hears of it
  return {
    /** Takes one last sample and journals it. */
    end: async (): Promise<void> => {
      over = true;
      await looking;
      if (!attempt.signal.aborted) await Promise.all(probes.map((probe) => probe.sample()));
      for (const probe of probes) probe.finish(attempt.signal.aborted ? 'attempt-over' : 'quiet');
    },
  };
}

export type Throughout = ReturnType<typeof watchThroughout>;

/** A step that was not done yet cannot be sampled; that does not make it unobservable. */
function isThere(attempt: Attempt, { check }: Probe): boolean {
  if (check.kind === 'exchange') return attempt.acts.has(String(check.query.exchange));
  return attempt.scope.resolve(check.query).missing.length === 0;
}

async function lookAgain(attempt: Attempt, probe: Probe, isOver: () => boolean): Promise<void> {
  while (!isOver() && !attempt.signal.aborted) {
    if (isThere(attempt, probe)) await probe.sample();
    await attempt.environment.clock.sleep(everyMs, attempt.signal).catch(() => undefined); // the attempt is over
  }
}
