/** Says of a performed trial whether its file has changed since: what was seen then says nothing about the checks of now. */
import type { TrialRecord } from '../../checks/trial-record.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { trialHash } from '../../requirements/trial-hash.ts';
import { loadTrials } from '../../trials/load-trials.ts';
import { openSystem } from '../open-system.ts';
import type { Call } from '../verb.ts';

export interface SuiteNow {
  /** Why what was performed then is no word about the suite of now; undefined where it is. */
  whyNot(performed: TrialRecord): string | undefined;
  /** Ids of all trials; undefined where there is no suite here. */
  readonly ids?: ReadonlySet<string>;
}

/** A run folder from elsewhere, without a config beside it, is judged as it was performed; a suite that cannot be read is told. */
export async function suiteNow(call: Call): Promise<SuiteNow> {
  const trials = await openSystem(call)
    .then(loadTrials)
    .catch((error: unknown) => {
      if (problemsIn(error)[0]?.code === 'config.not-found') return 'there is no suite here' as const;
      throw error;
    });
  if (typeof trials === 'string') return { whyNot: () => undefined };
  const now = new Map(trials.map(({ record }) => [record.id, record]));
  return {
    ids: new Set(now.keys()),
    whyNot: (performed) => {
      const record = now.get(performed.id);
      if (!record) return 'it is not in the suite any more';
      const isSame = trialHash(record) === trialHash(performed);
      return isSame ? undefined : `it was changed since the run; run it again: shakedown run ${performed.id}`;
    },
  };
}
