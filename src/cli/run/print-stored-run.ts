/** Prints a stored run as `run` did: each trial, details for each that did not pass, and the summary. */
import path from 'node:path';
import { judgedBadly, type RunVerdict, type TrialVerdict } from '../../checks/verdict.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import { defined } from '../../kernel/defined.ts';
import { formatRun } from '../../report/terminal/format-run.ts';
import { formatTrial } from '../../report/terminal/format-trial.ts';
import type { ReportOptions } from '../../report/terminal/line.ts';
import { isVerbose } from '../call/options.ts';
import type { Call } from '../call/verb.ts';

interface StoredRunShown {
  /** How the folder is displayed; empty where the folder of each trial stands for itself. */
  readonly runFolder?: string;
  /** The file to look at, if there is one. */
  readonly page?: string | undefined;
}

/** Folders of trials are below `folder`. */
export async function printStoredRun(
  call: Call,
  folder: string,
  verdict: RunVerdict,
  { runFolder = path.relative(call.cwd, folder) || folder, page }: StoredRunShown = {},
): Promise<void> {
  if (call.json) return call.terminal.out(JSON.stringify(verdict));
  const options = { ...optionsFor(call, folder), ...defined({ runFolder: runFolder || undefined, page }) };
  await printTrials(call, folder, verdict.trials, options);
  call.terminal.out(['', ...formatRun(verdict, options)].join('\n'));
}

/** Some of them, without the run around them. */
export async function printStoredTrials(
  call: Call,
  folder: string,
  trials: readonly TrialVerdict[],
): Promise<void> {
  if (call.json) return call.terminal.out(JSON.stringify({ trials }));
  await printTrials(call, folder, trials, optionsFor(call, folder));
}

async function printTrials(
  call: Call,
  folder: string,
  trials: readonly TrialVerdict[],
  options: ReportOptions,
): Promise<void> {
  for (const trial of trials) {
    const events = judgedBadly(trial.verdict) ? await eventsOf(folder, trial) : [];
    call.terminal.out(formatTrial(trial, events, options).join('\n'));
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
