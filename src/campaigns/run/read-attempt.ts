/** Reads the journal of an attempt as evidence: it must be of this run, this trial and this attempt. */
import path from 'node:path';
import { unreadable } from '../../journal/read-lines.ts';
import { readTrialJournal, type TrialJournal } from '../../journal/trial-journal.ts';
import type { RunPlan } from './run-plan.ts';
import { trialFolder } from './trial-folder.ts';

export async function readAttempt(
  folder: string,
  plan: Pick<RunPlan, 'run'>,
  trial: string,
  attempt: number,
): Promise<TrialJournal> {
  const place = path.join(folder, trialFolder(trial, attempt));
  const journal = await readTrialJournal(place);
  const { header } = journal;
  if (header.run === plan.run && header.trial === trial && header.attempt === attempt) return journal;
  throw unreadable(place, 1, `is of run ${header.run}, attempt ${header.attempt} of ${header.trial}`);
}
