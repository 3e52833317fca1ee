/** Says of a performed trial whether its file has changed since: what was seen then says nothing about the checks of now. */
import type { CheckRecord, TrialRecord } from '../../checks/trial-record.ts';
import { loadTrials } from '../../trials/load-trials.ts';
import { openSystem } from '../open-system.ts';
import type { Call } from '../verb.ts';

/** A run folder from elsewhere, without its trials, is judged as it was performed. */
export async function changedSince(call: Call): Promise<(performed: TrialRecord) => string | undefined> {
  const trials = await openSystem(call)
    .then(loadTrials)
    .catch(() => 'there are no trials here that it could be compared with' as const);
  if (typeof trials === 'string') return () => undefined;
  const now = new Map(trials.map(({ record }) => [record.id, record]));
  return (performed) => {
    const record = now.get(performed.id);
    if (!record || record.kind === 'flow') return undefined;
    const isSame = record.written === performed.written && asWritten(record) === asWritten(performed);
    return isSame ? undefined : `it was changed since the run; run it again: shakedown run ${performed.id}`;
  };
}

/** Lines may move, and golden outputs be accepted, without another meaning. */
function asWritten({ checks, steps }: TrialRecord): string {
  const plain = checks.map(({ line: _line, golden: _golden, title: _title, ...check }: CheckRecord) => check);
  return JSON.stringify([plain, steps.map(({ name, expect }) => [name, expect])]);
}
