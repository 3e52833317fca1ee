/** Judges a stored run again, offline: its trials as they were performed, or as they are now. */
import type { TrialNow } from '../../checks/trial-now.ts';
import type { RunVerdict } from '../../checks/verdict.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import { judgeRun } from '../run/judge-run.ts';
import type { Host } from './host.ts';
import { openSystem } from './open-system.ts';

export async function judgeStored(host: Host, folder: string, isCurrent: boolean): Promise<RunVerdict> {
  return judgeRun(folder, isCurrent ? await currentTrials(host) : undefined);
}

async function currentTrials(host: Host): Promise<(id: string) => TrialNow | undefined> {
  const trials = await loadTrials(await openSystem(host));
  // The checks of a flow are in its code, so those declared at the time of the run are judged.
  const records = trials.flatMap(({ record }) => (record.kind === 'yaml' ? [record] : []));
  const byId = new Map(records.map((record) => [record.id, record]));
  return (id) => byId.get(id);
}
