/** Judges a stored run again, offline: its trials as they were performed, as they are now, or with other checks. */
import type { TrialNow } from '../../checks/trial-now.ts';
import type { RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { baseId } from '../../kernel/base-id.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import { badUsage } from '../../kernel/problem.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import type { Trial } from '../../trials/trial.ts';
import { judgeRun } from '../run/judge-run.ts';
import type { Host } from './host.ts';
import { openSystem } from './open-system.ts';

export async function judgeStored(host: Host, folder: string, isCurrent: boolean): Promise<RunVerdict> {
  return judgeRun(folder, isCurrent ? await currentTrials(host) : undefined);
}

/** A trial with all its cases, as its file is now, but with these checks, which are YAML as below `checks`. Nothing is written. */
export async function judgeWithChecks(
  host: Host,
  folder: string,
  trial: string,
  checks: string,
): Promise<readonly TrialVerdict[]> {
  const system = await openSystem(host);
  const trials = await loadTrials(system);
  const ids = trials.map(({ record }) => record.id);
  const meant = trials.find(({ record: { id } }) => id === trial || baseId(id) === trial);
  if (meant?.record.kind !== 'yaml')
    throw badUsage(
      `trial ${JSON.stringify(trial)}`,
      meant ? 'it is a flow: its checks are in its code' : 'there is no such trial in the suite',
      'the id of a trial in YAML',
      meant ? 'change the code and run it again' : didYouMean(trial, ids, 'list the trials'),
    );
  const edited = await loadTrials(system, { file: meant.file, checks });
  const now = recordsOf(edited.filter(({ file }) => file === meant.file));
  const { trials: judged } = await judgeRun(folder, (id) => now.get(id));
  return judged.filter(({ id }) => now.has(id) && (id === trial || baseId(id) === trial));
}

async function currentTrials(host: Host): Promise<(id: string) => TrialNow | undefined> {
  const byId = recordsOf(await loadTrials(await openSystem(host)));
  return (id) => byId.get(id);
}

/** The checks of a flow are in its code, so those declared at the time of the run are judged. */
function recordsOf(trials: readonly Trial[]): ReadonlyMap<string, TrialNow> {
  return new Map(
    trials.flatMap(({ record }) => (record.kind === 'yaml' ? [[record.id, record] as const] : [])),
  );
}
