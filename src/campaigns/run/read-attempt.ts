/** Where the evidence of each attempt is stored, and its journal read as evidence of this run, trial and attempt. */
import path from 'node:path';
import { unreadable } from '../../journal/read-lines.ts';
import { readTrialJournal, type TrialJournal } from '../../journal/trial-journal.ts';
import type { RunPlan } from './run-plan.ts';

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

/** `trials/<id>`; further attempts in subfolders with names that no id can have. */
export function trialFolder(id: string, attempt: number): string {
  const base = path.join('trials', ...id.split('/'));
  return attempt === 1 ? base : path.join(base, `@${attempt}`);
}
