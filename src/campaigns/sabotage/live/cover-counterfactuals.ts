/** Lies that a stored run cannot judge, because the value fed a later step: live sabotage of whoever gave it covers them. Pure. */
import type { Counterfactual } from '../exposure.ts';
import type { LiveOutcome } from './sabotage-live.ts';
import type { StoredTrial } from './stored-evidence.ts';

export interface Covered extends Counterfactual {
  /** Who gave the value; null where the step does not name anybody. */
  readonly provider: string | null;
  /** Whether a lie of that provider was met by the trial, and judged. */
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
    const told = outcomes.filter(({ trial, service }) => trial === one.trial && service === provider);
    const judged = told.filter(({ outcome }) => outcome === 'red' || outcome === 'green');
    return { ...one, provider, covered: judged.length > 0, text: textOf(provider, one.step, judged) };
  });
}

function textOf(provider: string | null, step: string, judged: readonly LiveOutcome[]): string {
  if (provider === null) return `the step ${step} names nobody who could lie`;
  if (judged.length === 0) return `no lie of ${provider} was met and judged`;
  const lies = judged.map(({ lie, outcome }) => `${lie}: ${outcome === 'red' ? 'noticed' : 'stays green'}`);
  return `covered by live sabotage of ${provider} (${lies.join(', ')})`;
}
