/** Computes the state of every requirement from what was executed. Pure, so that a stored run gives the same later. */
import type { RequirementState, RequirementVerdict, TrialVerdict } from '../checks/verdict.ts';
import { coveringTrials } from './covering.ts';
import type { Requirement } from './requirement.ts';

/** What is known of a trial that covers something. */
export type ExecutedTrial = Pick<TrialVerdict, 'verdict' | 'attempts'>;

type StatedRequirement = Pick<Requirement, 'id' | 'priority' | 'deferred' | 'dependsOn'>;

interface Executed {
  readonly requirements: readonly StatedRequirement[];
  /** Every trial of the suite, performed or not. */
  readonly declared: ReadonlyArray<{ readonly id: string; readonly covers: readonly string[] }>;
  /** Undefined for what was not part of the run. */
  resultOf(trial: string): ExecutedTrial | undefined;
}

export interface States {
  /** One for each requirement, in their order. */
  readonly verdicts: readonly RequirementVerdict[];
  /** By the results alone, regardless of deferrals and pending dependencies. */
  readonly shown: ReadonlyMap<string, RequirementState>;
}

export function requirementStates({ requirements, declared, resultOf }: Executed): States {
  const covering = coveringTrials(declared);
  const trialsOf = (id: string): readonly string[] => (covering.get(id) ?? []).map((trial) => trial.id);
  const shown = new Map(requirements.map(({ id }) => [id, shownBy(trialsOf(id).map(resultOf))]));
  const verdicts = requirements.map(({ id, priority, deferred, dependsOn }) => {
    const hasLanded = dependsOn.every((other) => shown.get(other) === 'covered');
    const state = stateOf(shown.get(id) ?? 'orphaned', deferred !== undefined, hasLanded);
    return { id, priority: priority ?? null, state, trials: trialsOf(id) };
  });
  return { verdicts, shown };
}

/** Evidence takes precedence over waiting; a deferred one stays deferred until the mark is removed. */
function stateOf(shown: RequirementState, isDeferred: boolean, hasLanded: boolean): RequirementState {
  if (isDeferred) return 'deferred';
  const hasEvidence = shown === 'covered' || shown === 'failed' || shown === 'unknown';
  return hasEvidence || hasLanded ? shown : 'pending';
}

/** One failure outweighs any number of passes; a trial that was not performed does not count. */
export function shownBy(results: readonly (ExecutedTrial | undefined)[]): RequirementState {
  if (results.length === 0) return 'orphaned';
  const is = (...verdicts: readonly TrialVerdict['verdict'][]): boolean =>
    results.some((result) => result && verdicts.includes(result.verdict) && hasSpoken(result));
  if (is('failed', 'unstable', 'expected-failure')) return 'failed';
  if (is('unknown')) return 'unknown';
  if (is('passed')) return 'covered';
  return is('skipped') ? 'skipped' : 'not-executed';
}

/** A trial that was selected and never performed shows nothing; a skip was never going to. */
function hasSpoken({ verdict, attempts }: ExecutedTrial): boolean {
  return attempts > 0 || verdict === 'skipped';
}

/** The worst state over several backends: all of them must show it. */
export function weakestState(states: readonly RequirementState[]): RequirementState {
  return weakest.find((state) => states.includes(state)) ?? 'not-executed';
}

const weakest: readonly RequirementState[] = [
  ...(['failed', 'unknown', 'orphaned', 'not-executed', 'skipped'] as const),
  ...(['pending', 'deferred', 'covered'] as const),
];
