/** Writes the verdict of a run beside its evidence: for programs, and for the machines that run our users' builds. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeJson } from '../../campaigns/run/run-plan.ts';
import type { RunVerdict } from '../../checks/verdict.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import { ctrfJson } from '../../report/ci/ctrf-json.ts';
import { junitXml } from '../../report/ci/junit-xml.ts';
import { tellTrial } from '../../report/terminal/tell-trial.ts';

export async function writeReports(
  folder: string,
  verdict: RunVerdict,
  times: { startedAt: number; stoppedAt: number },
): Promise<void> {
  const stories = await storiesOf(folder, verdict);
  writeJson(path.join(folder, 'verdict.json'), verdict);
  writeFileSync(path.join(folder, 'junit.xml'), junitXml(verdict, stories), { mode: 0o600 });
  writeFileSync(path.join(folder, 'ctrf.json'), ctrfJson(verdict, times, stories), { mode: 0o600 });
}

/** What did not pass, told; the rest needs no story. */
async function storiesOf(
  folder: string,
  verdict: RunVerdict,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const told = verdict.trials.filter((trial) => trial.folder !== null && trial.verdict !== 'passed');
  const entries = await Promise.all(
    told.map(async (trial) => {
      const { events } = await readTrialJournal(path.join(folder, trial.folder ?? ''));
      return [trial.id, tellTrial(trial, events, { runFolder: folder })] as const;
    }),
  );
  return new Map(entries);
}
