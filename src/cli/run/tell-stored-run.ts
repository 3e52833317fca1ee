/** A stored run as `run` told it: each trial, a story for each that did not hold, and the end. */
import path from 'node:path';
import { judgedBadly } from '../../checks/judged-badly.ts';
import type { RunVerdict } from '../../checks/verdict.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import { tellRun } from '../../report/terminal/tell-run.ts';
import { tellTrial } from '../../report/terminal/tell-trial.ts';
import type { Call } from '../verb.ts';

export async function tellStoredRun(call: Call, folder: string, verdict: RunVerdict): Promise<void> {
  const { columns, paint, hint } = call.terminal;
  const options = { columns, paint, hint, runFolder: path.relative(call.cwd, folder) || folder };
  for (const trial of verdict.trials) {
    const told = trial.folder !== null && judgedBadly(trial.verdict);
    const events = told ? await eventsOf(path.join(folder, trial.folder ?? '')) : [];
    call.terminal.out(tellTrial(trial, events, options).join('\n'));
  }
  call.terminal.out(['', ...tellRun(verdict, options)].join('\n'));
}

/** Whoever has only the verdict is told what that knows. */
async function eventsOf(place: string): Promise<readonly AttemptEvent[]> {
  return readTrialJournal(place).then(
    ({ events }) => events,
    () => [],
  );
}
