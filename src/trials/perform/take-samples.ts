/** After the last step: waits for what must come in time, then for quiet, then looks at everything that is judged at the end. */
import type { CheckRecord } from '../../checks/trial-record.ts';
import { limits } from '../../kernel/limits.ts';
import type { Attempt } from './attempt.ts';
import { createProbe } from './probe.ts';
import { reachQuiet } from './reach-quiet.ts';

export async function takeSamples(
  attempt: Attempt,
  checks: readonly CheckRecord[] = attempt.trial.record.checks,
): Promise<void> {
  await Promise.all(checks.filter(({ mode }) => mode === 'within').map((check) => awaitOne(attempt, check)));
  if (attempt.signal.aborted) return;
  const { settleMs } = attempt.trial;
  await reachQuiet(attempt, settleMs, Math.max(limits.quietWithinMs, settleMs * 4));
  if (attempt.signal.aborted) return;
  await Promise.all(
    checks
      .filter((check) => check.mode === 'quiet' && !isFinal(attempt, check))
      .map((check) => lookOnce(attempt, check)),
  );
}

async function awaitOne(attempt: Attempt, check: CheckRecord): Promise<void> {
  const probe = createProbe(attempt, check);
  const held = await probe.until(check.withinMs ?? limits.stepWithinMs);
  probe.finish(held ? 'reached' : attempt.signal.aborted ? 'attempt-over' : 'deadline');
}

async function lookOnce(attempt: Attempt, check: CheckRecord): Promise<void> {
  const probe = createProbe(attempt, check);
  await probe.sample();
  probe.finish('quiet');
}

/** What a step gave stands in the journal already, unless its connection is still open. */
function isFinal(attempt: Attempt, check: CheckRecord): boolean {
  if (check.kind !== 'exchange') return check.kind === 'value';
  return !attempt.stillOpen.has(String(check.query.exchange));
}
