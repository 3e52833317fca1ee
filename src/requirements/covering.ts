/** Which trials cover which requirements. */
import type { TrialRecord } from '../checks/trial-record.ts';

/** The part of a trial that is needed here; a record has it. */
export type CoveringTrial = Pick<
  TrialRecord,
  'id' | 'file' | 'line' | 'kind' | 'covers' | 'steps' | 'checks' | 'disturbs'
> & {
  /** The line of its `covers`, where it is known. */
  readonly coversLine?: number;
};

/** Requirement to the trials that name it, in the order in which they are declared. */
export function coveringTrials<Trial extends { readonly covers: readonly string[] }>(
  trials: readonly Trial[],
): ReadonlyMap<string, readonly Trial[]> {
  const found = new Map<string, Trial[]>();
  for (const trial of trials) {
    for (const id of new Set(trial.covers)) {
      const known = found.get(id);
      if (known) known.push(trial);
      else found.set(id, [trial]);
    }
  }
  return found;
}
