/** Puts a stored run to the test offline, and compares what cannot fail with the baseline. */

import type { TrialRecord } from '../../checks/trial-record.ts';
import { defined } from '../../kernel/defined.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { trialHash } from '../../requirements/trial-hash.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import { findRun } from '../session/find-run.ts';
import type { Host } from '../session/host.ts';
import { openSystem, systemFolder } from '../session/open-system.ts';
import { type BaselineChange, readBaseline, settleBaseline } from './baseline-file.ts';
import { byWeight } from './exposure.ts';
import { lostChecks } from './lost-checks.ts';
import { weightOf } from './risk.ts';
import { type Sabotaged, sabotageRun, withoutCase } from './sabotage-run.ts';

export type SabotagedRun = Awaited<ReturnType<typeof sabotageStored>>;

export async function sabotageStored(host: Host, run: string, change: BaselineChange) {
  const folder = await findRun(host, run);
  const { whyNot, ids } = await suiteNow(host);
  const judged = await sabotageRun(folder, defined({ whyNot, suite: ids }));
  const exposures = [...(await lostChecks(folder, judged)), ...judged.exposures].sort(byWeight);
  const sabotaged = { ...judged, exposures };
  const isJudged = ({ trial }: { readonly trial: string }): boolean =>
    sabotaged.trials.some(({ id }) => isOf(id, trial)) ||
    (ids !== undefined && ![...ids].some((id) => isOf(id, trial)));
  const baseline = await readBaseline(await systemFolder(host));
  const held = await settleBaseline(baseline, 'offline', vacuousChecks(sabotaged), change, isJudged);
  const isSound = sabotaged.checks > 0 && !sabotaged.notJudged.some(({ code }) => code === 'outdated');
  const isHonest = isSound && held.open.length === 0 && held.stale.length === 0;
  return { sabotaged, ...held, exitCode: isHonest ? exitCodes.held : exitCodes.dishonest };
}

/** The most severe, one of each trial before a second of any; without the names of cases. */
export function mostSevere(exposures: Sabotaged['exposures'], most: number): Sabotaged['exposures'] {
  const seen = new Map<string, number>();
  return exposures
    .map((exposure) => {
      const trial = withoutCase(exposure.trial);
      const nth = seen.get(trial) ?? 0;
      seen.set(trial, nth + 1);
      const rank = (exposure.lost === undefined ? weightOf(exposure.risk) : 1_000) - nth * 15;
      return { exposure: { ...exposure, trial }, rank };
    })
    .sort((a, b) => b.rank - a.rank)
    .slice(0, most)
    .map(({ exposure }) => exposure);
}

/** A trial, or one of its cases. */
function isOf(id: string, trial: string): boolean {
  return id === trial || id.startsWith(`${trial}[`);
}

interface VacuousCheck {
  readonly trial: string;
  readonly check: string;
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly why: string;
}

/** The checks of a sabotaged run that cannot fail, once for all cases of a trial. */
function vacuousChecks({ trials }: Sabotaged): readonly VacuousCheck[] {
  const found = new Map<string, VacuousCheck | 'vital'>();
  for (const { id, file, checks } of trials)
    for (const { id: check, line, vital, kind, why } of checks) {
      const trial = withoutCase(id);
      const name = JSON.stringify([file, trial, check]);
      if (vital === null || found.get(name) === 'vital') continue;
      found.set(name, vital ? 'vital' : { trial, check, file, line, kind: kind ?? '', why: why ?? '' });
    }
  return [...found.values()].filter((one) => one !== 'vital');
}

/** A run folder without a config beside it is judged as it was run; an unreadable suite is an error. */
async function suiteNow(host: Host) {
  const trials = await openSystem(host)
    .then(loadTrials)
    .catch((error: unknown) => {
      if (problemsIn(error)[0]?.code === 'config.not-found') return 'there is no suite here' as const;
      throw error;
    });
  if (typeof trials === 'string') return { whyNot: () => undefined };
  const now = new Map(trials.map(({ record }) => [record.id, record]));
  return {
    /** Ids of all trials; undefined without a suite. */
    ids: new Set(now.keys()),
    /** Why the old evidence does not apply to the current suite; undefined when it does. */
    whyNot: (performed: TrialRecord) => {
      const record = now.get(performed.id);
      if (!record) return 'it is no longer in the suite';
      const isSame = trialHash(record) === trialHash(performed);
      return isSame ? undefined : `it was changed since the run; run it again: shakedown run ${performed.id}`;
    },
  };
}
