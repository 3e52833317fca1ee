/** `judge`: from the journal of one attempt to its verdict. Pure, so that it can be done again later, elsewhere. */
import type { AttemptEnd, AttemptEvent } from '../../journal/trial-event.ts';
import { withAbsence } from '../absence.ts';
import { type AttemptView, viewAttempt } from '../attempt-view.ts';
import { blameAttempt } from '../blame/blame-attempt.ts';
import { expectedRefusals } from '../blame/expected-refusals.ts';
import type { ReferenceDigest } from '../blame/reference/reference-digest.ts';
import { type Cost, costOf, noCost } from '../cost.ts';
import { judgeDerived } from '../derived/judge-derived.ts';
import { derivedKinds } from '../derived-queries.ts';
import { explanationFaults } from '../explanation.ts';
import { judgeCheck } from '../judge-check.ts';
import { judgeDisturbs } from '../judge-disturbs.ts';
import { judgeLogs } from '../judge-logs.ts';
import { judgeProcesses } from '../judge-processes.ts';
import { openIfRestless, whoIsBusy } from '../judge-restless.ts';
import { judgeScripts, spentBudget } from '../judge-scripts.ts';
import { isStepCheck, judgeSteps, openIfGivenUp } from '../judge-steps.ts';
import { openIfCut } from '../open-if-cut.ts';
import { sourcesSeen } from '../sources-seen.ts';
import { endedTooEarly, openIfChanged, performedOtherwise, type TrialNow } from '../trial-now.ts';
import type { CheckRecord, ExpectedFailure } from '../trial-record.ts';
import { underExpectation } from '../under-expectation.ts';
import { isUntouched } from '../untouched.ts';
import type { CauseKind, CheckVerdict, SuiteFault, TrialVerdict, Verdict } from '../verdict.ts';
import { findCause, ownShortage } from './find-cause.ts';

export interface AttemptVerdict
  extends Cost,
    Pick<
      TrialVerdict,
      'verdict' | 'cause' | 'checks' | 'faults' | 'durationMs' | 'restless' | 'blame' | 'expectedRefusals'
    > {
  /** Sources in which something was seen: what a twin proves. */
  readonly saw: readonly string[];
  /** Its checks that assert an absence, including those that a flow declared. */
  readonly absences: readonly CheckRecord[];
  /** How it ended; undefined if that was not recorded. */
  readonly end: AttemptEnd | undefined;
  /** Expected failures, and the verdict without them: several attempts are combined first. */
  readonly expectedFailure: ExpectedFailure | undefined;
  readonly plain: Pick<TrialVerdict, 'verdict' | 'cause'>;
}

/**
 * What is judged is what the journal itself says, unless the trial as it is `now` is to be tried on the same evidence;
 * `reference` comes from passing runs of the same trial, `usual` the faults of any trial that passed nevertheless.
 */
export function judge(
  events: readonly AttemptEvent[],
  now?: TrialNow,
  reference?: ReferenceDigest,
  usual: readonly string[] = [],
): AttemptVerdict {
  const seen = viewAttempt(events);
  if (!seen) return neverBegun;
  const otherwise = now && performedOtherwise(seen.record, now);
  if (otherwise !== undefined) return unusableAttempt('suite', otherwise);
  const view: AttemptView = {
    ...seen,
    record: { ...seen.record, steps: now?.steps ?? seen.record.steps },
    checks: (now?.checks ?? seen.checks).map((check) => withAbsence(check, seen.scope)),
  };
  const gates = [...judgeProcesses(view), ...judgeLogs(view), ...judgeScripts(view)];
  const checks = openIfRestless(openIfGivenUp(judgeChecks(view), view), view);
  const steps = judgeSteps(view).map((verdict) => openIfChanged(verdict, seen.record.steps, view));
  const verdicts = openIfCut([...steps, ...checks, ...gates], view);
  const faults = findFaults(view, verdicts, now && endedTooEarly(view, verdicts));
  const cause = findCause(view, verdicts, faults);
  const plain = { verdict: verdictOf(view, verdicts, faults), cause };
  const { expectedFailure } = view.record;
  const end = view.ended?.end;
  const isGood = plain.verdict === 'passed' || plain.verdict === 'skipped';
  const refused = isGood ? [] : expectedRefusals(view, verdicts, reference);
  return {
    ...underExpectation(expectedFailure, plain, verdicts, [end]),
    plain,
    end,
    expectedFailure,
    checks: verdicts,
    faults,
    saw: sourcesSeen(view),
    absences: view.checks.filter(({ absence }) => absence),
    durationMs: view.ended?.durationMs ?? events.at(-1)?.at ?? 0,
    ...(view.restless ? { restless: whoIsBusy(view.restless) } : {}),
    blame: plain.verdict === 'failed' ? blameAttempt(view, verdicts, reference, usual) : null,
    ...(refused.length > 0 ? { expectedRefusals: refused } : {}),
    ...costOf(view.modelCalls),
  };
}

/** Checks that read the verdicts of others are judged after them, but keep their position. */
function judgeChecks(view: AttemptView): readonly CheckVerdict[] {
  const isDerived = ({ kind }: CheckRecord): boolean => derivedKinds.includes(kind);
  const seen = new Map(
    view.checks.filter((check) => !isDerived(check)).map((check) => [check, judgeCheck(check, view)]),
  );
  const others = [...seen.values()];
  return view.checks.map((check) => seen.get(check) ?? judgeDerived(check, view, others));
}

const nothingThere = {
  verdict: 'unknown',
  cause: { kind: 'environment', text: 'the attempt never began' },
} as const;

/** The record cannot be read, or is contradictory: the outcome is not known. */
export function unreadableAttempt(what: string): AttemptVerdict {
  return unusableAttempt('evidence', `its record cannot be used: ${what}`);
}

function unusableAttempt(kind: CauseKind, text: string): AttemptVerdict {
  const judged = { verdict: 'unknown', cause: { kind, text } } as const;
  return { ...neverBegun, ...judged, plain: judged, faults: [{ kind: 'unknown', text }] };
}

const neverBegun: AttemptVerdict = {
  ...nothingThere,
  plain: nothingThere,
  end: undefined,
  expectedFailure: undefined,
  checks: [],
  faults: [{ kind: 'never-executed', text: 'the journal holds no attempt; perform the trial again' }],
  saw: [],
  absences: [],
  durationMs: 0,
  blame: null,
  ...noCost,
};

function verdictOf(
  view: AttemptView,
  checks: readonly CheckVerdict[],
  faults: readonly SuiteFault[],
): Verdict {
  if (view.missingLine !== undefined || spentBudget(view) || ownShortage(view)) return 'unknown';
  if (checks.some(({ verdict }) => verdict === 'failed')) return 'failed';
  const end = view.ended?.end;
  if (end === 'step-failed' && faults.some(({ kind }) => kind === 'unknown')) return 'unknown';
  if (end === 'timeout' || end === 'step-failed' || end === 'flow-failed') return 'failed';
  if (end !== undefined && isUnfit(faults)) return 'skipped';
  if (end !== 'done' || faults.length > 0) return 'unknown';
  return checks.some(({ verdict }) => verdict === 'unknown') ? 'unknown' : 'passed';
}

/** An unfit shape is neither for nor against the system: the trial is skipped, unless something else is wrong. */
export function isUnfit(faults: readonly SuiteFault[]): boolean {
  return faults.length > 0 && faults.every(({ kind }) => kind === 'unfit-shape');
}

function unfitLines({ modelCalls }: AttemptView): SuiteFault[] {
  return modelCalls.flatMap(({ caller, resource, fault }) =>
    fault?.kind === 'unfit-shape'
      ? [{ kind: 'unfit-shape', text: `${caller} asked ${resource}: ${fault.what}` } as const]
      : [],
  );
}

function findFaults(view: AttemptView, checks: readonly CheckVerdict[], early?: string): SuiteFault[] {
  const { record } = view;
  const faults: SuiteFault[] = [];
  const whole = view.ended?.end === 'done';
  if (view.missingLine !== undefined)
    faults.push({
      kind: 'unknown',
      text: `a line is missing in the journal, number ${view.missingLine}: use the run folder as it was written, or run again`,
    });
  for (const text of [ownShortage(view), early])
    if (text !== undefined) faults.push({ kind: 'unknown', text });
  // The disturbance is known beforehand: blaming it says nothing about how the system handled it.
  const reporting = view.checks.filter(({ kind }) => kind !== 'blame');
  if (reporting.length === 0 && !record.steps.some(({ expect }) => expect !== undefined))
    faults.push({ kind: 'no-check', text: 'it checks nothing: add `checks`, or `expect` to a step' });
  if (whole && (view.sentBytes + view.heardBytes === 0 || isUntouched(view)))
    faults.push({
      kind: 'nothing-sent',
      text: 'nothing was sent to the system: no step of it reached a service',
    });
  faults.push(...explanationFaults(record), ...judgeDisturbs(view), ...unfitLines(view));
  for (const check of view.checks) {
    const isUnproven = check.provenBy === undefined || check.provenBy === record.id;
    if (check.absence && isUnproven && !hasSeen(check, view))
      faults.push({
        kind: 'absence-without-twin',
        check: check.id,
        text: `\`${check.id}\` asserts that something did not happen, but nothing proves that it would have been seen: add \`provenBy: <trial>\` with a trial in which \`${check.source}\` shows something`,
      });
  }
  for (const { id, verdict, explanation, evidence } of checks) {
    // Of an attempt that ended early, only what was sampled can be unknown; the rest was not reached.
    if (verdict === 'unknown' && (whole || (isStepCheck(id) && evidence.length > 0)))
      faults.push({ kind: 'unknown', check: id, text: `\`${id}\` is unknown: ${firstLine(explanation)}` });
  }
  return faults;
}

/** It has been shown elements itself: `$length: { $lte: 3 }` of two, `$each` of some. */
function hasSeen({ id, mode }: CheckRecord, { probes }: AttemptView): boolean {
  const last = probes.get(id)?.samples.at(-1);
  return (
    mode !== 'never' && last?.type === 'probe.sampled' && Array.isArray(last.value) && last.value.length > 0
  );
}

function firstLine(text: string | undefined): string {
  return text?.split('\n')[0]?.replace(/^unknown: /, '') ?? 'no reason was recorded';
}
