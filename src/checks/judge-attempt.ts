/** `judge`: from the journal of one attempt to its verdict. Pure, so that it can be done again later, elsewhere. */
import type { AttemptEvent } from '../journal/trial-event.ts';
import { type AttemptView, viewAttempt } from './attempt-view.ts';
import { findCause } from './find-cause.ts';
import { judgeCheck } from './judge-check.ts';
import { judgeLogs } from './judge-logs.ts';
import { judgeProcesses } from './judge-processes.ts';
import { isStepCheck, judgeSteps } from './judge-steps.ts';
import { sourcesSeen } from './sources-seen.ts';
import type { SuiteFault } from './suite-fault.ts';
import type { CheckRecord, TrialRecord } from './trial-record.ts';
import type { Cause, CheckVerdict, Verdict } from './verdict.ts';

export interface AttemptVerdict {
  readonly verdict: Verdict;
  readonly cause: Cause | null;
  readonly checks: readonly CheckVerdict[];
  readonly faults: readonly SuiteFault[];
  /** Sources in which something was to be seen: what a twin proves. */
  readonly saw: readonly string[];
  /** Its checks that say that something did not happen, those that a flow declared included. */
  readonly absences: readonly CheckRecord[];
  readonly durationMs: number;
}

/** `checks` are those of the journal itself, unless others are to be tried on the same evidence. */
export function judge(events: readonly AttemptEvent[], checks?: readonly CheckRecord[]): AttemptVerdict {
  const seen = viewAttempt(events);
  if (!seen) return neverBegun;
  const view: AttemptView = checks ? { ...seen, checks } : seen;
  const verdicts = [
    ...judgeSteps(view),
    ...view.checks.map((check) => judgeCheck(check, view)),
    ...judgeProcesses(view),
    ...judgeLogs(view),
  ];
  const faults = findFaults(view, verdicts);
  const cause = findCause(view, verdicts, faults);
  return {
    ...underExpectation(view.record, verdictOf(view, verdicts, faults), cause, verdicts),
    checks: verdicts,
    faults,
    saw: sourcesSeen(view),
    absences: view.checks.filter(({ absence }) => absence),
    durationMs: view.ended?.durationMs ?? events.at(-1)?.at ?? 0,
  };
}

const neverBegun: AttemptVerdict = {
  verdict: 'unknown',
  cause: { kind: 'environment', text: 'the attempt never began' },
  checks: [],
  faults: [{ kind: 'never-executed', text: 'the journal holds no attempt; perform the trial again' }],
  saw: [],
  absences: [],
  durationMs: 0,
};

function verdictOf(
  view: AttemptView,
  checks: readonly CheckVerdict[],
  faults: readonly SuiteFault[],
): Verdict {
  if (checks.some(({ verdict }) => verdict === 'failed')) return 'failed';
  const end = view.ended?.end;
  if (end === 'step-failed' && faults.some(({ kind }) => kind === 'unknown')) return 'unknown';
  if (end === 'timeout' || end === 'step-failed' || end === 'flow-failed') return 'failed';
  if (end !== 'done' || faults.length > 0) return 'unknown';
  return checks.some(({ verdict }) => verdict === 'unknown') ? 'unknown' : 'passed';
}

function findFaults(view: AttemptView, checks: readonly CheckVerdict[]): SuiteFault[] {
  const { record } = view;
  const faults: SuiteFault[] = [];
  const whole = view.ended?.end === 'done';
  if (view.checks.length === 0 && !record.steps.some(({ expect }) => expect !== undefined))
    faults.push({ kind: 'no-check', text: 'it checks nothing: add `checks`, or `expect` to a step' });
  if (whole && view.sentBytes === 0)
    faults.push({
      kind: 'nothing-sent',
      text: 'nothing was sent to the system: no step of it reached a service',
    });
  for (const check of view.checks) {
    if (check.absence && check.provenBy === undefined)
      faults.push({
        kind: 'absence-without-twin',
        check: check.id,
        text: `\`${check.id}\` says that something did not happen, and nothing proves that it would have been seen: add \`provenBy: <trial>\` with a trial in which \`${check.source}\` shows something`,
      });
  }
  for (const { id, verdict, explanation, evidence } of checks) {
    // Of an attempt that ended early, only what was looked at can be unknown; the rest was not reached.
    if (verdict === 'unknown' && (whole || (isStepCheck(id) && evidence.length > 0)))
      faults.push({ kind: 'unknown', check: id, text: `\`${id}\` is unknown: ${firstLine(explanation)}` });
  }
  return faults;
}

function underExpectation(
  record: TrialRecord,
  verdict: Verdict,
  cause: Cause | null,
  checks: readonly CheckVerdict[],
): { verdict: Verdict; cause: Cause | null } {
  const { expectedFailure } = record;
  if (!expectedFailure) return { verdict, cause };
  if (verdict === 'passed') {
    const text = `it was expected to fail (${expectedFailure.because}) and holds now: remove \`expectedFailure\``;
    return { verdict: 'failed', cause: { kind: 'expected-failure-passed', text } };
  }
  if (verdict !== 'failed') return { verdict, cause };
  const failed = checks.filter((check) => check.verdict === 'failed');
  const unforeseen = failed.find(({ id }) => !(expectedFailure.checks?.includes(id) ?? true));
  if (!unforeseen)
    return { verdict: failed.length > 0 || !expectedFailure.checks ? 'expected-failure' : verdict, cause };
  const { id, expected, observed } = unforeseen;
  const text = `${id}: expected ${expected}, observed ${observed}; it is not among the failures that are expected`;
  return { verdict, cause: cause?.kind === 'check' ? { kind: 'check', text } : cause };
}

function firstLine(text: string | undefined): string {
  return text?.split('\n')[0]?.replace(/^unknown: /, '') ?? 'no reason is known';
}
