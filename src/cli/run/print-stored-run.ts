/** Prints a stored run as `run` did: each trial, details for each that did not pass, and the summary. */
import path from 'node:path';
import { judgedBadly, type RunVerdict, type TrialVerdict } from '../../checks/verdict.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import { formatRun } from '../../report/terminal/format-run.ts';
import { formatTrial } from '../../report/terminal/format-trial.ts';
import type { ReportOptions } from '../../report/terminal/line.ts';
import { isVerbose } from '../call/options.ts';
import type { Call } from '../call/verb.ts';

export async function printStoredRun(call: Call, folder: string, verdict: RunVerdict): Promise<void> {
  if (call.json) return call.terminal.out(JSON.stringify(verdict));
  await printStoredTrials(call, folder, verdict.trials);
  call.terminal.out(['', ...formatRun(verdict, optionsFor(call, folder))].join('\n'));
}

export async function printStoredTrials(
  call: Call,
  folder: string,
  trials: readonly TrialVerdict[],
): Promise<void> {
  if (call.json) return call.terminal.out(JSON.stringify({ trials }));
  for (const trial of trials) {
    const events = judgedBadly(trial.verdict) ? await eventsOf(folder, trial) : [];
    call.terminal.out(formatTrial(trial, events, optionsFor(call, folder)).join('\n'));
  }
}

function optionsFor(call: Call, folder: string): ReportOptions {
  const runFolder = path.relative(call.cwd, folder) || folder;
  return { ...call.terminal, runFolder, verbose: isVerbose(call) };
}

/** Without a journal, only the verdict is shown. */
export async function eventsOf(
  runFolder: string,
  { folder }: Pick<TrialVerdict, 'folder'>,
): Promise<readonly AttemptEvent[]> {
  if (folder === null) return [];
  return readTrialJournal(path.join(runFolder, folder)).then(
    ({ events }) => events,
    () => [],
  );
}
