/** A trial as its file has it now, judged on what was performed then. Pure. */
import { isMap } from '../kernel/is-map.ts';
import { stepKind } from '../kinds/step-kinds.ts';
import type { AttemptView } from './attempt-view.ts';
import { isStepCheck, stepCheckId } from './judge-steps.ts';
import type { StepRecord, TrialRecord } from './trial-record.ts';
import type { CheckVerdict } from './verdict.ts';

export type TrialNow = Pick<TrialRecord, 'steps' | 'checks' | 'written'>;

/** Why the attempt says nothing about it; undefined where it does. */
export function performedOtherwise(then: TrialRecord, now: TrialNow): string | undefined {
  const outline = ({ steps }: TrialNow): string =>
    JSON.stringify(steps.map(({ name, driver }) => [name, driver]));
  const isSame =
    outline(then) === outline(now) && (then.written === undefined || then.written === now.written);
  return isSame ? undefined : 'it was not performed as it is written now; run it again';
}

/** Why an attempt that ended at a step is open: what the step expects now may hold. */
export function endedTooEarly(view: AttemptView, verdicts: readonly CheckVerdict[]): string | undefined {
  const hasFailed = verdicts.some(({ id, verdict }) => isStepCheck(id) && verdict === 'failed');
  if (view.ended?.end !== 'step-failed' || hasFailed) return undefined;
  const last = [...view.steps.values()].findLast(({ outcome }) => outcome === 'failed');
  return `the attempt ended at step \`${last?.step ?? '?'}\`, which did not match what was expected then; run it again`;
}

/** On an open connection a step was done as soon as it held: what it expects now may have come later. */
export function openIfChanged(
  verdict: CheckVerdict,
  then: readonly StepRecord[],
  { record, steps }: AttemptView,
): CheckVerdict {
  if (verdict.verdict !== 'failed') return verdict;
  const [before, now] = [then, record.steps].map((all) =>
    all.find(({ name }) => stepCheckId(name) === verdict.id),
  );
  const isChanged = JSON.stringify(before?.expect) !== JSON.stringify(now?.expect);
  if (!now || !isChanged) return verdict;
  const { continues, opens } = stepKind(now.driver);
  const { evidence } = steps.get(now.name) ?? {};
  const hasEnded = isMap(evidence) && (evidence.exitCode !== undefined || evidence.error !== undefined);
  if ((continues ?? opens) === undefined || hasEnded) return verdict;
  const explanation = 'its connection was still open, and what came later was not looked at; run it again';
  return { ...verdict, verdict: 'unknown', explanation };
}
