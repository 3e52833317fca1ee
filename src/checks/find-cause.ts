/** Why an attempt did not pass, in one sentence: the event that explains the others comes first. */
import type { AttemptView } from './attempt-view.ts';
import { logGateId } from './judge-logs.ts';
import { processGateId } from './judge-processes.ts';
import type { SuiteFault } from './suite-fault.ts';
import type { Cause, CauseKind, CheckVerdict } from './verdict.ts';

export function findCause(
  view: AttemptView,
  checks: readonly CheckVerdict[],
  faults: readonly SuiteFault[],
): Cause | null {
  const failed = checks.filter(({ verdict }) => verdict === 'failed');
  if (view.missingLine !== undefined) return { kind: 'suite', text: faults[0]?.text ?? '' };
  const of = (id: string): CheckVerdict | undefined => failed.find((check) => check.id === id);
  const death = of(processGateId);
  if (death) return { kind: 'death', text: death.observed };
  const { end, because } = view.ended ?? {};
  if (end === 'flow-failed') return { kind: 'flow', text: because ?? 'the flow failed' };
  if (end === 'timeout') return { kind: 'timeout', text: because ?? 'it took too long' };
  // A flow knows the place in its code.
  const isTold = view.record.kind === 'flow' && end === 'step-failed' && because !== undefined;
  const step = isTold ? undefined : failed.find(({ id }) => id.startsWith('step '));
  if (step) return { kind: 'step', text: `${step.id}: expected ${step.expected}, observed ${step.observed}` };
  const undecided = faults.find(({ kind }) => kind === 'unknown');
  if (end === 'step-failed' && undecided) return { kind: 'suite', text: undecided.text };
  if (end === 'step-failed') return { kind: 'step', text: because ?? 'a step could not be done' };
  const check = failed.find(({ id }) => id !== logGateId);
  if (check)
    return { kind: 'check', text: `${check.id}: expected ${check.expected}, observed ${check.observed}` };
  const logs = of(logGateId);
  if (logs) return { kind: 'log', text: `a new error line: ${logs.observed}` };
  if (end !== 'done') return endedOtherwise(end, because);
  const [fault] = faults;
  return fault ? { kind: 'suite', text: fault.text } : null;
}

const kinds: Readonly<Record<string, CauseKind>> = {
  interrupted: 'interrupted',
  'environment-broken': 'environment',
};

function endedOtherwise(end: string | undefined, because: string | undefined): Cause {
  if (end === undefined)
    return { kind: 'interrupted', text: 'the journal ends in the middle of the attempt' };
  return { kind: kinds[end] ?? 'environment', text: because ?? end };
}
