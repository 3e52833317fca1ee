/** In how many stored runs, the newest first, what is in quarantine has held. */
import { type QuarantineEntry, speaksOf } from '../../checks/quarantine.ts';
import { hasHeld } from '../run/quarantine-of-run.ts';
import { outcomeOf } from './outcomes.ts';
import type { StoredRun } from './stored-runs.ts';

/** Runs in which it was not performed, or could not be judged, say nothing. */
export function heldInARow(entry: QuarantineEntry, runs: readonly StoredRun[]): number {
  let count = 0;
  for (const { trials } of runs.toReversed()) {
    const meant = trials.filter((trial) => speaksOf(entry, trial.id) && outcomeOf(trial) !== 'undecided');
    if (meant.length === 0) continue;
    if (!meant.every((trial) => hasHeld(entry, trial))) break;
    count += 1;
  }
  return count;
}
