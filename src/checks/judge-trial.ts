/** From the attempts of a trial to its one verdict: every check in every attempt, unless the trial tolerates less. */
import type { AttemptVerdict } from './judge-attempt.ts';
import type { CheckRecord } from './trial-record.ts';
import type { Cause, CheckVerdict, Verdict } from './verdict.ts';

/** Check to the number of attempts in which it must hold; a check that is not named must hold in all. */
export type Tolerance = Readonly<Record<string, number>>;

export type JudgedTrial = AttemptVerdict;

export function judgeTrial(attempts: readonly AttemptVerdict[], atLeast: Tolerance = {}): JudgedTrial {
  const [first] = attempts;
  if (!first) throw new Error('a trial without an attempt cannot be judged');
  if (attempts.length === 1) return first;
  const ids = [...new Set(attempts.flatMap(({ checks }) => checks.map(({ id }) => id)))];
  const checks = ids.map((id) => overAttempts(id, attempts, atLeast[id] ?? attempts.length));
  const tolerated = attempts.every((attempt) => attempt.checks.length > 0 || attempt.verdict === 'passed');
  const verdict = overall(checks, attempts, tolerated);
  return {
    verdict,
    cause: verdict === 'passed' ? null : causeOf(attempts, checks),
    checks,
    faults: attempts.flatMap(({ faults }) => faults),
    saw: [...new Set(attempts.flatMap(({ saw }) => saw))],
    absences: oneOfEach(attempts.flatMap(({ absences }) => absences)),
    durationMs: attempts.reduce((sum, { durationMs }) => sum + durationMs, 0),
  };
}

/** Every attempt has the same checks, unless a flow declares them as it goes. */
export function oneOfEach(checks: readonly CheckRecord[]): readonly CheckRecord[] {
  return [...new Map(checks.map((check) => [check.id, check])).values()];
}

function overAttempts(id: string, attempts: readonly AttemptVerdict[], needed: number): CheckVerdict {
  const verdicts = attempts.flatMap(({ checks }) => checks.filter((check) => check.id === id));
  const passed = verdicts.filter(({ verdict }) => verdict === 'passed');
  const worst =
    verdicts.find(({ verdict }) => verdict === 'failed') ??
    verdicts.find(({ verdict }) => verdict !== 'passed') ??
    (verdicts[0] as CheckVerdict);
  const told = `held in ${passed.length} of ${attempts.length} attempts, ${needed} needed`;
  const explanation = [told, worst.explanation].filter(Boolean).join('\n');
  if (passed.length >= needed) return { ...worst, verdict: 'passed', explanation: told };
  return { ...worst, explanation };
}

function overall(
  checks: readonly CheckVerdict[],
  attempts: readonly AttemptVerdict[],
  tolerated: boolean,
): Verdict {
  if (checks.some(({ verdict }) => verdict === 'failed')) return 'failed';
  if (!tolerated || checks.some(({ verdict }) => verdict === 'unknown')) return 'unknown';
  return attempts.some(({ faults }) => faults.length > 0) ? 'unknown' : 'passed';
}

function causeOf(attempts: readonly AttemptVerdict[], checks: readonly CheckVerdict[]): Cause | null {
  const check = checks.find(({ verdict }) => verdict !== 'passed');
  const [told] = check?.explanation?.split('\n') ?? [];
  if (check) return { kind: 'check', text: `${check.id} ${told ?? check.verdict}` };
  return attempts.find(({ cause }) => cause)?.cause ?? null;
}
