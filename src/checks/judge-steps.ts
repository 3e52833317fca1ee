/** Judges the hard expectations: one verdict for each step that has one, under the step's name. */
import { defined } from '../kernel/defined.ts';
import { printValue } from '../patterns/print-value.ts';
import { isEmptyValue, resolvePattern, whyMissing } from '../patterns/scope.ts';
import type { AttemptView } from './attempt-view.ts';
import { derivedKinds } from './derived-queries.ts';
import { wanted } from './hold-against.ts';
import { holdExchange, neverBegan } from './hold-exchange.ts';
import { judgeCheck } from './judge-check.ts';
import type { CheckRecord, StepRecord } from './trial-record.ts';
import type { CheckVerdict } from './verdict.ts';

export function judgeSteps(view: AttemptView): CheckVerdict[] {
  const verdicts = view.record.steps.flatMap((step) =>
    step.expect === undefined ? judgeBare(step, view) : [judgeStep(step, view)],
  );
  return openIfGivenUp([...verdicts, ...judgeActs(view)], view);
}

/** Checks about the interrupted step or the whole attempt, when the attempt was abandoned. */
export function openIfGivenUp(verdicts: readonly CheckVerdict[], view: AttemptView): CheckVerdict[] {
  if (!wasGivenUp(view)) return [...verdicts];
  const undone = new Set(
    view.checks.flatMap(({ id, kind, query }) => (isUndone(kind, query.exchange, view) ? [id] : [])),
  );
  return verdicts.map((check) => (isStepCheck(check.id) || undone.has(check.id) ? leftOpen(check) : check));
}

function isUndone(kind: string, step: unknown, { steps }: AttemptView): boolean {
  if (kind !== 'exchange') return derivedKinds.includes(kind);
  const done = steps.get(String(step));
  return done !== undefined && (done.outcome === 'failed' || errorIn(done.evidence) !== undefined);
}

/** An act of a flow that could not be done has failed, even if the flow ignores it. */
function judgeActs(view: AttemptView): CheckVerdict[] {
  const { record, checks, steps } = view;
  if (record.kind !== 'flow') return [];
  const declared = new Set(checks.map(({ id }) => id));
  return [...steps.keys()]
    .filter((name) => !declared.has(stepCheckId(name)))
    .flatMap((name) => judgeBare({ name, line: record.line, driver: 'flow' }, view));
}

/** The running step then failed because of that, and says nothing about the system. */
function wasGivenUp({ ended }: AttemptView): boolean {
  return ended?.end === 'interrupted' || ended?.end === 'environment-broken';
}

function leftOpen(check: CheckVerdict): CheckVerdict {
  if (check.verdict !== 'failed') return check;
  return { ...check, verdict: 'unknown', explanation: 'the attempt was abandoned during this step' };
}

export function stepCheckId(step: string): string {
  return `step ${step}`;
}

export function isStepCheck(id: string): boolean {
  return id.startsWith('step ');
}

function judgeStep(step: StepRecord, view: AttemptView): CheckVerdict {
  const { name, line, expect } = step;
  const done = view.steps.get(name);
  const base = { id: stepCheckId(name), line, expected: wanted({ expect }) };
  const explanation = 'the attempt ended before this step';
  if (!done) return { ...base, verdict: 'unknown', observed: 'nothing', explanation, evidence: [] };
  const waited = judgeWait(step, view);
  if (waited) return waited;
  // It was never sent: the reason says more than what is missing.
  if (done.evidence === null && done.because !== undefined)
    return { ...base, verdict: 'failed', observed: done.because, evidence: [done.seq] };
  const { value, missing } = resolvePattern(expect, view.scope);
  const evidence = [done.seq];
  if (missing[0] !== undefined) return withoutValue(base, missing[0], view, evidence);
  const result = holdExchange({ expect: value }, done.evidence);
  const { held, undecided, expected, observed, mismatches } = result;
  const verdict = held ? 'passed' : undecided === undefined ? 'failed' : 'unknown';
  const why = defined({ explanation: result.explanation, mismatches });
  return { ...base, verdict, expected, observed, ...why, evidence };
}

/** An empty text is there, but shows nothing as a part of another. */
function withoutValue(
  base: Pick<CheckVerdict, 'id' | 'line' | 'expected'>,
  missing: string,
  view: AttemptView,
  evidence: readonly number[],
): CheckVerdict {
  const explanation = whyMissing(missing, view.scope);
  const verdict = isEmptyValue(missing, view.scope) ? 'unknown' : 'failed';
  return { ...base, verdict, observed: 'nothing', explanation, evidence };
}

function errorIn(evidence: unknown): string | undefined {
  const { error } = (evidence ?? {}) as { error?: { kind?: string; message?: string } };
  return error && `${error.kind}: ${error.message}`;
}

/** A step without `expect` is reported only if it could not be done. */
function judgeBare(step: StepRecord, view: AttemptView): CheckVerdict[] {
  const { name, line } = step;
  const done = view.steps.get(name);
  if (done?.outcome !== 'failed') return [];
  const waited = judgeWait(step, view);
  if (waited) return [waited];
  return [
    {
      id: stepCheckId(name),
      line,
      verdict: neverBegan(done.evidence) ? 'unknown' : 'failed',
      expected: 'a step that can be done',
      observed: errorIn(done.evidence) ?? done.because ?? printValue(done.evidence),
      ...(done.because === undefined ? {} : { explanation: done.because }),
      evidence: [done.seq],
    },
  ];
}

/** A wait that timed out is judged by its samples, like a check with `within`. */
function judgeWait({ name, line }: StepRecord, view: AttemptView): CheckVerdict | undefined {
  const waited = view.steps.get(name)?.waited as CheckRecord | undefined;
  if (!waited) return undefined;
  const judged = judgeCheck(waited, { ...view, performed: [waited] });
  return judged.verdict === 'passed' ? undefined : { ...judged, id: stepCheckId(name), line };
}
