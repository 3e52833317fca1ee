/** Writes the verdict of a run beside its evidence, for programs and CI systems. */
import path from 'node:path';
import { readSource } from '../../campaigns/report/report-source.ts';
import type { RunReporter } from '../../campaigns/session/perform-run.ts';
import type { RunTimes, RunVerdict } from '../../checks/verdict.ts';
import { redactOurs } from '../../journal/redact-values.ts';
import type { Redactor } from '../../journal/redaction.ts';
import { sealDocument } from '../../journal/seal.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import { writeClean } from '../../journal/write-redacted.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { ctrfJson } from '../../report/ci/ctrf-json.ts';
import { junitXml } from '../../report/ci/junit-xml.ts';
import { formatTrial } from '../../report/terminal/format-trial.ts';
import type { Call } from '../call/verb.ts';
import { reportName, tryToWriteReportHtml } from './write-report-html.ts';

export function writeReports(
  folder: string,
  verdict: RunVerdict,
  times: RunTimes,
  redactor: Redactor,
): Promise<void> {
  return writeClearedReports(folder, redactOurs(verdict, redactor, 'spared'), times);
}

/** The same, with the report to look at. */
export function reportsWithPage({ cwd, say }: Call): RunReporter['writeReports'] {
  return (folder, verdict, times, redactor) => {
    const clean = redactOurs(verdict, redactor, 'spared');
    const file = path.join(folder, reportName);
    return writeClearedReports(folder, clean, times, () =>
      tryToWriteReportHtml(file, { sources: [readSource(folder, cwd)], verdict: clean }, say),
    );
  };
}

/** Of a verdict without secrets. Folders in it are below the folder of the reports. */
export async function writeClearedReports(
  folder: string,
  clean: RunVerdict,
  times: RunTimes,
  writePage?: () => Promise<void>,
): Promise<void> {
  const stories = await storiesOf(folder, clean);
  writeClean(path.join(folder, 'junit.xml'), junitXml(clean, stories));
  writeClean(path.join(folder, 'ctrf.json'), ctrfJson(clean, times, stories));
  await writePage?.();
  // Last: a run whose reports could not be written has no verdict to show again.
  writeClean(path.join(folder, 'verdict.json'), sealDocument(clean));
}

/** Formatted details of each trial that did not pass. */
async function storiesOf(
  folder: string,
  verdict: RunVerdict,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const shown = verdict.trials.filter((trial) => trial.folder !== null && trial.verdict !== 'passed');
  const entries = await Promise.all(
    shown.map(async (trial) => {
      const journal = readTrialJournal(path.join(folder, trial.folder ?? ''));
      const events = await journal.then((read) => read.events).catch(noneIfUnreadable);
      return [trial.id, formatTrial(trial, events, { runFolder: folder, verbose: true })] as const;
    }),
  );
  return new Map(entries);
}

/** The verdict has the reason. */
function noneIfUnreadable(error: unknown): readonly [] {
  if (problemsIn(error)[0]?.code !== 'journal.unreadable') throw error;
  return [];
}
