/** After the last step: waits for checks with `within`, then for quiet, then samples what is judged at the end. */

import { correlates } from '../../checks/derived/judge-correlate.ts';
import { type CorrelateQuery, derivedKinds, partName } from '../../checks/derived-queries.ts';
import { canClaim, lastLookName } from '../../checks/last-look.ts';
import type { CheckRecord } from '../../checks/trial-record.ts';
import { isAnyNumber } from '../../kernel/exact-json.ts';
import { limits } from '../../kernel/limits.ts';
import { checkKind } from '../../kinds/check-kinds.ts';
import type { Attempt } from './attempt.ts';
import { createProbe } from './probe.ts';
import { reachQuiet } from './reach-quiet.ts';

export async function takeSamples(
  attempt: Attempt,
  checks: readonly CheckRecord[] = attempt.trial.record.checks,
): Promise<void> {
  await Promise.all(checks.filter(({ mode }) => mode === 'within').map((check) => awaitOne(attempt, check)));
  const correlations = checks.filter(({ kind, withinMs }) => kind === 'correlate' && withinMs !== undefined);
  await Promise.all(correlations.map((check) => awaitPlaces(attempt, check)));
  if (attempt.signal.aborted) return;
  const { settleMs, timeoutMs, unusedLineMs = limits.unusedLineMs } = attempt.trial;
  const withinMs = Math.max(limits.quietWithinMs, settleMs * 4);
  // An unused line must fail the trial before the timeout does.
  await reachQuiet(attempt, settleMs, withinMs, Math.min(unusedLineMs, timeoutMs / 4));
  if (attempt.signal.aborted) return;
  const looks = checks
    .filter((check) => check.mode === 'quiet' && !isFinal(attempt, check))
    .flatMap(lookedAt);
  await Promise.all(
    [...looks, ...claimants(checks)].map(({ check, name }) => lookOnce(attempt, check, name)),
  );
}

/** A check that held early was not shown what came later, and can claim it only once it has looked again. */
function claimants(checks: readonly CheckRecord[]): readonly Look[] {
  const named = new Set(checks.flatMap(({ only = [] }) => only));
  return checks
    .filter(({ id, mode, kind }) => mode === 'within' && named.has(id) && canClaim(kind))
    .map((check) => ({ check, name: lastLookName(check.id) }));
}

async function awaitOne(attempt: Attempt, check: CheckRecord): Promise<void> {
  const probe = createProbe(attempt, check);
  const held = await probe.until(check.withinMs ?? limits.stepWithinMs);
  probe.finish(held ? 'reached' : attempt.signal.aborted ? 'attempt-over' : 'deadline');
}

/** Waits until every place shows the id, or the time is over. */
async function awaitPlaces(attempt: Attempt, check: CheckRecord): Promise<void> {
  const { clock } = attempt.environment;
  const { id, parts } = check.query as unknown as CorrelateQuery;
  const { value } = attempt.scope.resolve(id);
  if (typeof value !== 'string' && !isAnyNumber(value)) return;
  const endsAt = clock.monotonic() + (check.withinMs ?? 0);
  for (const { check: place, name } of lookedAt(check)) {
    const part = parts[Number(name.slice(check.id.length + 1)) - 1];
    const probe = createProbe(attempt, place, name);
    for (;;) {
      await probe.sample();
      const seen = probe.seen();
      if (part && seen && 'value' in seen && correlates(value, part, seen.value)) break;
      if (clock.monotonic() >= endsAt || attempt.signal.aborted) break;
      await clock.sleep(pauseMs, attempt.signal).catch(() => undefined); // the next look is the last
    }
    probe.finish('reached');
  }
}

const pauseMs = 50;

async function lookOnce(attempt: Attempt, check: CheckRecord, name: string): Promise<void> {
  const probe = createProbe(attempt, check, name);
  await probe.sample();
  probe.finish('quiet');
}

interface Look {
  readonly check: CheckRecord;
  /** Under which its samples are kept. */
  readonly name: string;
}

/** A correlation samples each of its places; other checks over the journal need no sample. */
function lookedAt(check: CheckRecord): readonly Look[] {
  if (!derivedKinds.includes(check.kind)) return [{ check, name: check.id }];
  if (check.kind !== 'correlate') return [];
  const { parts } = check.query as unknown as CorrelateQuery;
  return parts.flatMap(({ kind, query }, index) =>
    checkKind(kind)?.isJournalled
      ? []
      : [{ check: { ...check, kind, query, expect: undefined }, name: partName(check.id, index + 1) }],
  );
}

/** The result of a step is in the journal already, unless its connection is still open. */
function isFinal(attempt: Attempt, check: CheckRecord): boolean {
  if (check.kind !== 'exchange') return check.kind === 'value';
  return !attempt.stillOpen.has(String(check.query.exchange));
}
