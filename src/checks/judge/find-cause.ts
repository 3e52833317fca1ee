/** Why an attempt did not pass, in one sentence: the event that explains the others comes first. */

import { edgeOf } from '../../kernel/edge-name.ts';
import { type AttemptView, endIsMissing } from '../attempt-view.ts';
import { firstFailedRung } from '../blame/ladder.ts';
import { logGateId } from '../judge-logs.ts';
import { processGateId } from '../judge-processes.ts';
import { modelGateId, peerGateId, spentBudget } from '../judge-scripts.ts';
import type { Cause, CauseKind, CheckVerdict, SuiteFault } from '../verdict.ts';

export function findCause(
  view: AttemptView,
  checks: readonly CheckVerdict[],
  faults: readonly SuiteFault[],
): Cause | null {
  const failed = checks.filter(({ verdict }) => verdict === 'failed');
  if (view.missingLine !== undefined) return { kind: 'suite', text: faults[0]?.text ?? '' };
  const shortage = ownShortage(view);
  if (shortage !== undefined) return { kind: 'environment', text: shortage };
  const budget = spentBudget(view);
  if (budget)
    return {
      kind: 'budget',
      text: budget.fault?.what ?? `the budget of ${budget.resource} did not allow a call`,
    };
  const of = (id: string): CheckVerdict | undefined => failed.find((check) => check.id === id);
  const death = of(processGateId);
  if (death) return { kind: 'death', text: death.observed };
  const misled = scriptCause(failed, view);
  if (misled) return misled;
  const { end, because } = view.ended ?? {};
  if (end === 'flow-failed') return { kind: 'flow', text: because ?? 'the flow failed' };
  if (end === 'timeout') return { kind: 'timeout', text: because ?? 'it took too long' };
  const rung = firstFailedRung(view, checks);
  if (rung) {
    const { id, expected, observed } = rung.verdict;
    return {
      kind: 'ladder',
      text: `first failing rung: ${rung.rung.name} (${id}: expected ${expected}, observed ${observed})`,
    };
  }
  // A flow reports the place in its code.
  const hasReason = view.record.kind === 'flow' && end === 'step-failed' && because !== undefined;
  const step = hasReason ? undefined : failed.find(({ id }) => id.startsWith('step '));
  if (step) return { kind: 'step', text: `${step.id}: expected ${step.expected}, observed ${step.observed}` };
  const undecided = faults.find(({ kind }) => kind === 'unknown');
  if (end === 'step-failed' && undecided) return { kind: 'suite', text: undecided.text };
  if (end === 'step-failed') return { kind: 'step', text: because ?? 'a step could not be done' };
  const gates = [logGateId, modelGateId, peerGateId];
  const check = failed.find(({ id }) => !gates.includes(id));
  if (check)
    return { kind: 'check', text: `${check.id}: expected ${check.expected}, observed ${check.observed}` };
  const script = of(modelGateId) ?? of(peerGateId);
  if (script) return { kind: 'script', text: script.observed };
  const logs = of(logGateId);
  if (logs) return { kind: 'log', text: `a new error line: ${logs.observed}` };
  if (end !== 'done') return endedOtherwise(end, because);
  const [fault] = faults;
  return fault ? { kind: 'suite', text: fault.text } : null;
}

/** A request that a peer could not answer explains the later steps; faults reported at the end explain nothing. */
function scriptCause(failed: readonly CheckVerdict[], view: AttemptView): Cause | undefined {
  const gate = failed.find(({ id }) => id === modelGateId || id === peerGateId);
  const atTheEnd = new Set([...view.unused, ...view.recorded].map(({ seq }) => seq));
  const [asked] = gate?.evidence ?? [];
  if (!gate || asked === undefined || atTheEnd.has(asked)) return undefined;
  const step = failed.find(({ id }) => id.startsWith('step '))?.evidence[0];
  return step === undefined || asked < step ? { kind: 'script', text: gate.observed } : undefined;
}

const kinds: Readonly<Record<string, CauseKind>> = {
  interrupted: 'interrupted',
  'environment-broken': 'environment',
  'not-staged': 'suite',
};

function endedOtherwise(end: string | undefined, because: string | undefined): Cause {
  if (end === undefined) return { kind: 'interrupted', text: endIsMissing };
  return { kind: kinds[end] ?? 'environment', text: because ?? end };
}

/** One sentence, with what to do; undefined if there was room for all. */
export function ownShortage({ refusals }: Pick<AttemptView, 'refusals'>): string | undefined {
  const short = refusals.filter(({ because }) => because === 'too-many');
  const [first] = short;
  if (!first) return undefined;
  const count = short.length === 1 ? 'a connection' : `${short.length} connections`;
  return `Shakedown itself refused ${count} on ${edgeOf(first)}: ${first.what ?? 'there were too many'}`;
}
