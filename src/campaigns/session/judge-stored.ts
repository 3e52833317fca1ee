/** Judges a stored run again, offline: with the checks it was performed with, or with the current ones. */
import type { CheckRecord } from '../../checks/trial-record.ts';
import type { RunVerdict } from '../../checks/verdict.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import { judgeRun } from '../run/judge-run.ts';
import type { Host } from './host.ts';
import { openSystem } from './open-system.ts';

export async function judgeStored(host: Host, folder: string, isCurrent: boolean): Promise<RunVerdict> {
  return judgeRun(folder, isCurrent ? await currentChecks(host) : undefined);
}

async function currentChecks(host: Host): Promise<(id: string) => readonly CheckRecord[] | undefined> {
  const trials = await loadTrials(await openSystem(host));
  // The checks of a flow are in its code, so those declared at the time of the run are judged.
  const written = trials.filter(({ record }) => record.kind === 'yaml');
  const checks = new Map(written.map(({ record }) => [record.id, record.checks]));
  return (id) => checks.get(id);
}
