/** Whether a trial has changed since it was run: old evidence proves nothing about the current checks. */

import type { TrialRecord } from '../../checks/trial-record.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { trialHash } from '../../requirements/trial-hash.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import type { Host } from '../session/host.ts';
import { openSystem } from '../session/open-system.ts';

export interface SuiteNow {
  /** Why the old evidence does not apply to the current suite; undefined when it does. */
  whyNot(performed: TrialRecord): string | undefined;
  /** Ids of all trials; undefined without a suite. */
  readonly ids?: ReadonlySet<string>;
}

/** A run folder without a config beside it is judged as it was run; an unreadable suite is an error. */
export async function suiteNow(host: Host): Promise<SuiteNow> {
  const trials = await openSystem(host)
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
      if (!record) return 'it is no longer in the suite';
      const isSame = trialHash(record) === trialHash(performed);
      return isSame ? undefined : `it was changed since the run; run it again: shakedown run ${performed.id}`;
    },
  };
}
