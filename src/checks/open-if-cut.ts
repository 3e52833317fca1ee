/** A journal without the end of its attempt may lack anything: what held so far is not known to have held. */
import { type AttemptView, endIsMissing } from './attempt-view.ts';
import { isStepCheck } from './judge-steps.ts';
import type { CheckVerdict } from './verdict.ts';

/** What a step was answered is recorded as a whole, so its own expectation stays decided. */
export function openIfCut(
  verdicts: readonly CheckVerdict[],
  { ended }: Pick<AttemptView, 'ended'>,
): readonly CheckVerdict[] {
  if (ended) return verdicts;
  return verdicts.map((check) =>
    check.verdict === 'passed' && !isStepCheck(check.id)
      ? { ...check, verdict: 'unknown', explanation: endIsMissing }
      : check,
  );
}
