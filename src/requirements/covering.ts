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
  const pairs = trials.flatMap((trial) => [...new Set(trial.covers)].map((id) => ({ id, trial })));
  const groups = [...Map.groupBy(pairs, ({ id }) => id)];
  return new Map(groups.map(([id, group]) => [id, group.map(({ trial }) => trial)]));
}
