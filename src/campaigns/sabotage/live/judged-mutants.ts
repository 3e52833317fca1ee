/** Which accepted findings this run decides: what was not tried, or was inconclusive, stays accepted. Pure. */
import type { IsJudged } from '../baseline.ts';
import type { LiveSabotage } from './sabotage-live.ts';

/** `trials` are the names of all trials of the suite: findings of a trial that is gone are stale. */
export function judgedMutants(
  outcomes: LiveSabotage['outcomes'],
  trials: readonly string[],
): IsJudged<'live'> {
  const judged = new Set(
    outcomes.filter(({ outcome }) => outcome === 'survived' || outcome === 'killed').map(keyOf),
  );
  const known = new Set(trials);
  return (entry) => judged.has(keyOf(entry)) || !known.has(entry.trial);
}

function keyOf(one: { readonly service: string; readonly mutant: string; readonly trial: string }): string {
  return JSON.stringify([one.service, one.mutant, one.trial]);
}
