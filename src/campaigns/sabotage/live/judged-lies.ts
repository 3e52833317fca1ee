/** Which accepted findings this time says something about: what was not tried, or showed nothing, stays accepted. Pure. */
import type { IsJudged } from '../baseline.ts';
import type { LiveSabotage } from './sabotage-live.ts';

/** `trials` are the names of all trials of the suite: with one that is gone, what was accepted of it is gone, too. */
export function judgedLies(outcomes: LiveSabotage['outcomes'], trials: readonly string[]): IsJudged<'live'> {
  const judged = new Set(
    outcomes.filter(({ outcome }) => outcome === 'green' || outcome === 'red').map(keyOf),
  );
  const known = new Set(trials);
  return (entry) => judged.has(keyOf(entry)) || !known.has(entry.trial);
}

function keyOf(one: { readonly service: string; readonly lie: string; readonly trial: string }): string {
  return JSON.stringify([one.service, one.lie, one.trial]);
}
