/** Trials as requirements see them, each with the place of its `covers`. */
import type { CoveringTrial } from '../../requirements/covering.ts';
import type { Trial } from '../../trials/trial.ts';

export function coveringRecords(trials: readonly Trial[]): readonly CoveringTrial[] {
  return trials.map(({ record, whereIs }) => {
    const line = record.covers.length === 0 ? undefined : whereIs?.('covers').line;
    return line === undefined ? record : { ...record, coversLine: line };
  });
}
