/** Mutants of values that fed a later step: only live sabotage of their provider can judge them. Pure. */
import type { Counterfactual } from '../exposure.ts';
import type { LiveOutcome } from './sabotage-live.ts';
import type { StoredTrial } from './stored-evidence.ts';

export interface Covered extends Counterfactual {
  /** The provider of the value; null if the step names none. */
  readonly provider: string | null;
  /** Whether the trial met a mutant of that provider, and was judged. */
  readonly covered: boolean;
  readonly text: string;
}

export function coverCounterfactuals(
  counterfactual: readonly Counterfactual[],
  trials: readonly Pick<StoredTrial, 'view'>[],
  outcomes: readonly LiveOutcome[],
): readonly Covered[] {
  const records = new Map(trials.map(({ view }) => [view.record.id, view.record]));
  return counterfactual.map((one) => {
    const provider = records.get(one.trial)?.steps.find(({ name }) => name === one.step)?.to ?? null;
    const tried = outcomes.filter(({ trial, service }) => trial === one.trial && service === provider);
    const judged = tried.filter(({ outcome }) => outcome === 'killed' || outcome === 'survived');
    return { ...one, provider, covered: judged.length > 0, text: textOf(provider, one.step, judged) };
  });
}

function textOf(provider: string | null, step: string, judged: readonly LiveOutcome[]): string {
  if (provider === null) return `the step ${step} names no service that could be mutated`;
  if (judged.length === 0) return `no mutant of ${provider} was met and judged`;
  const mutants = judged.map(
    ({ mutant, outcome }) => `${mutant}: ${outcome === 'killed' ? 'killed' : 'stays green'}`,
  );
  return `covered by live sabotage of ${provider} (${mutants.join(', ')})`;
}
