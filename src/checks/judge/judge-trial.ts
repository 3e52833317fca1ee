/** From the attempts of a trial to its verdict: every check in every attempt, unless the trial tolerates less. */
import { sumCosts } from '../cost.ts';
import { modelGateId, peerGateId } from '../judge-scripts.ts';
import { isStepCheck } from '../judge-steps.ts';
import type { CheckRecord } from '../trial-record.ts';
import { underExpectation } from '../under-expectation.ts';
import type { Cause, CheckVerdict, Verdict } from '../verdict.ts';
import type { AttemptVerdict } from './judge-attempt.ts';

/** Check to the number of attempts in which it must hold; a check that is not listed must hold in all. */
export type Tolerance = Readonly<Record<string, number>>;

export type JudgedTrial = AttemptVerdict;

export function judgeTrial(attempts: readonly AttemptVerdict[], atLeast: Tolerance = {}): JudgedTrial {
  const [first] = attempts;
  if (!first) throw new Error('a trial without an attempt cannot be judged');
  if (attempts.length === 1) return first;
  const ids = [...new Set(attempts.flatMap(({ checks }) => checks.map(({ id }) => id)))];
  const checks = ids.map((id) =>
    overAttempts(id, attempts, (Object.hasOwn(atLeast, id) ? atLeast[id] : undefined) ?? attempts.length),
  );
  const held = new Set(checks.flatMap(({ id, verdict }) => (verdict === 'passed' ? [id] : [])));
  const ending = worstEnding(attempts, held);
  // A spent budget says nothing about the system.
  const spent = attempts.find(({ plain }) => plain.cause?.kind === 'budget')?.plain;
  const verdict = spent ? 'unknown' : overall(checks, attempts, ending?.verdict);
  const cause = spent?.cause ?? (verdict === 'passed' ? null : causeOf(attempts, checks, ending));
  const plain = { verdict, cause };
  const ends = attempts.map(({ end }) => end);
  const expectedFailure = attempts.find((attempt) => attempt.expectedFailure)?.expectedFailure;
  const restless = attempts.find((attempt) => attempt.restless !== undefined)?.restless;
  return {
    ...underExpectation(expectedFailure, plain, checks, ends),
    plain,
    end: ends.find((end) => end !== 'done') ?? 'done',
    expectedFailure,
    checks,
    faults: attempts.flatMap(({ faults }) => faults),
    saw: [...new Set(attempts.flatMap(({ saw }) => saw))],
    absences: oneOfEach(attempts.flatMap(({ absences }) => absences)),
    durationMs: attempts.reduce((sum, { durationMs }) => sum + durationMs, 0),
    ...(restless === undefined ? {} : { restless }),
    // The first that failed is representative.
    blame: verdict === 'failed' ? (attempts.find(({ blame }) => blame)?.blame ?? null) : null,
    ...sumCosts(attempts),
  };
}

/** Every attempt has the same checks, unless a flow declares them while running. */
export function oneOfEach(checks: readonly CheckRecord[]): readonly CheckRecord[] {
  return [...new Map(checks.map((check) => [check.id, check])).values()];
}

/** A check that an attempt does not have did not hold there; a step without `expect` is reported only if it failed. */
function overAttempts(id: string, attempts: readonly AttemptVerdict[], needed: number): CheckVerdict {
  const verdicts = attempts.flatMap(({ checks }) => checks.filter((check) => check.id === id));
  const silent = attempts.filter(({ end, checks }) => end === 'done' && !checks.some((one) => one.id === id));
  const passed =
    verdicts.filter(({ verdict }) => verdict === 'passed').length +
    (speaksOfFaultsOnly(id) ? silent.length : 0);
  const worst =
    verdicts.find(({ verdict }) => verdict === 'failed') ??
    verdicts.find(({ verdict }) => verdict !== 'passed') ??
    (verdicts[0] as CheckVerdict);
  const shown = `held in ${passed} of ${attempts.length} attempts, ${needed} needed`;
  if (passed >= needed) return { ...worst, verdict: 'passed', explanation: shown };
  const explanation = [shown, worst.explanation].filter(Boolean).join('\n');
  return { ...worst, verdict: worst.verdict === 'passed' ? 'unknown' : worst.verdict, explanation };
}

/** A step without `expect`, and scripts without requests. */
function speaksOfFaultsOnly(id: string): boolean {
  return isStepCheck(id) || id === modelGateId || id === peerGateId;
}

type Ending = AttemptVerdict['plain'];

/** How the attempts ended; one that ended at a step is tolerated if the step is. */
function worstEnding(attempts: readonly AttemptVerdict[], held: ReadonlySet<string>): Ending | undefined {
  const endings = attempts.flatMap((attempt): Ending[] => {
    const { end, plain, checks } = attempt;
    if (end === 'done') return [];
    if (end === 'timeout' || end === 'flow-failed') return [{ verdict: 'failed', cause: plain.cause }];
    if (end !== 'step-failed') return [{ verdict: 'unknown', cause: plain.cause }];
    const reasons = checks.filter(({ id, verdict }) => verdict === 'failed' && isHard(id));
    if (reasons.length > 0 && reasons.every(({ id }) => held.has(id))) return [];
    return [{ verdict: plain.verdict === 'unknown' ? 'unknown' : 'failed', cause: plain.cause }];
  });
  return endings.find(({ verdict }) => verdict === 'failed') ?? endings[0];
}

/** Checks that end an attempt when they do not hold: of steps, and of `expect` in a flow. */
function isHard(id: string): boolean {
  return isStepCheck(id) || /^expect-\d+(?:-\d+)?$/.test(id);
}

function overall(
  checks: readonly CheckVerdict[],
  attempts: readonly AttemptVerdict[],
  ending: Verdict | undefined,
): Verdict {
  const verdicts = [...checks.map(({ verdict }) => verdict), ...(ending === undefined ? [] : [ending])];
  if (verdicts.includes('failed')) return 'failed';
  if (verdicts.some((verdict) => verdict !== 'passed')) return 'unknown';
  if (attempts.every(({ plain }) => plain.verdict === 'skipped')) return 'skipped';
  return attempts.some(({ faults }) => faults.length > 0) ? 'unknown' : 'passed';
}

function causeOf(
  attempts: readonly AttemptVerdict[],
  checks: readonly CheckVerdict[],
  ending: Ending | undefined,
): Cause | null {
  const failed = checks.find(({ verdict }) => verdict === 'failed');
  if (!failed && ending?.cause) return ending.cause;
  const check = failed ?? checks.find(({ verdict }) => verdict !== 'passed');
  const [shown] = check?.explanation?.split('\n') ?? [];
  if (check) return { kind: 'check', text: `${check.id} ${shown ?? check.verdict}` };
  return attempts.find(({ plain }) => plain.cause)?.plain.cause ?? null;
}
