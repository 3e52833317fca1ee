/** From what was executed to the state of every requirement. Pure, so that a stored run says the same later. */
import type { RequirementState, RequirementVerdict, TrialVerdict } from '../checks/verdict.ts';
import { coveringTrials } from './covering.ts';
import type { Requirement } from './requirement.ts';

/** What is known of a trial that covers something. */
export type ExecutedTrial = Pick<TrialVerdict, 'verdict' | 'attempts'>;

export type StatedRequirement = Pick<Requirement, 'id' | 'priority' | 'deferred' | 'dependsOn'>;

export interface Executed {
  readonly requirements: readonly StatedRequirement[];
  /** Every trial of the suite, performed or not. */
  readonly declared: ReadonlyArray<{ readonly id: string; readonly covers: readonly string[] }>;
  /** Undefined for what was not part of the run. */
  resultOf(trial: string): ExecutedTrial | undefined;
}

export function requirementStates(executed: Executed): readonly RequirementVerdict[] {
  const covering = coveringTrials(executed.declared);
  const shown = shownStates(executed);
  return executed.requirements.map(({ id, priority, deferred, dependsOn }) => {
    const trials = (covering.get(id) ?? []).map((trial) => trial.id);
    const hasLanded = dependsOn.every((other) => shown.get(other) === 'covered');
    const state = stateOf(shown.get(id) ?? 'orphaned', deferred !== undefined, hasLanded);
    return { id, priority: priority ?? null, state, trials };
  });
}

/** What the results alone say, whatever is deferred and whoever waits. */
export function shownStates({
  requirements,
  declared,
  resultOf,
}: Executed): ReadonlyMap<string, RequirementState> {
  const covering = coveringTrials(declared);
  return new Map(
    requirements.map(({ id }) => [id, shownBy((covering.get(id) ?? []).map((trial) => resultOf(trial.id)))]),
  );
}

/** Evidence goes before waiting; only what is deferred stays so until somebody takes the mark away. */
function stateOf(shown: RequirementState, isDeferred: boolean, hasLanded: boolean): RequirementState {
  if (isDeferred) return 'deferred';
  const hasEvidence = shown === 'covered' || shown === 'failed' || shown === 'unknown';
  return hasEvidence || hasLanded ? shown : 'pending';
}

/** One that fails speaks louder than those that pass; one that was not performed says nothing. */
export function shownBy(results: readonly (ExecutedTrial | undefined)[]): RequirementState {
  if (results.length === 0) return 'orphaned';
  const is = (...verdicts: readonly TrialVerdict['verdict'][]): boolean =>
    results.some((result) => result && verdicts.includes(result.verdict) && hasSpoken(result));
  if (is('failed', 'unstable', 'expected-failure')) return 'failed';
  if (is('unknown')) return 'unknown';
  if (is('passed')) return 'covered';
  return is('skipped') ? 'skipped' : 'not-executed';
}

/** A trial that was selected and never performed shows nothing; a skip was never meant to. */
function hasSpoken({ verdict, attempts }: ExecutedTrial): boolean {
  return attempts > 0 || verdict === 'skipped';
}

/** The gravest of what several backends say: all of them must show it. */
export function weakestState(states: readonly RequirementState[]): RequirementState {
  return weakest.find((state) => states.includes(state)) ?? 'not-executed';
}

const weakest: readonly RequirementState[] = [
  ...(['failed', 'unknown', 'orphaned', 'not-executed', 'skipped'] as const),
  ...(['pending', 'deferred', 'covered'] as const),
];
