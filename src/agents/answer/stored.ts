/** Finds stored runs and their trials: those of this project, and no others. */
import path from 'node:path';
import { checkedVerdict } from '../../campaigns/run/read-run-verdict.ts';
import { findRun } from '../../campaigns/session/find-run.ts';
import type { RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import { cutText } from '../../kernel/cut-text.ts';
import { isIn, realPath } from '../../kernel/folders/real-path.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import { badUsage, ifProblem } from '../../kernel/problem.ts';
import { isRunId } from '../../kernel/unique-id.ts';
import type { ToolContext } from './tool.ts';

/** By its id only: a path could lead anywhere. */
export async function runFolder({ host, project }: ToolContext, run: string): Promise<string> {
  if (run !== 'latest' && !isRunId(run))
    throw badUsage(
      `run ${JSON.stringify(cutText(run, 60))}`,
      'it is not the id of a run',
      '`latest`, or the id of a run of this project, such as 20261115-032655-k3f9; never a path',
      'use the id that `run_trials` has answered',
    );
  return inside(project, await findRun(host, run));
}

export interface StoredTrial {
  readonly folder: string;
  readonly verdict: RunVerdict;
  readonly trial: TrialVerdict;
}

export async function storedTrial(context: ToolContext, run: string, id: string): Promise<StoredTrial> {
  const folder = await runFolder(context, run);
  const verdict = await checkedVerdict(folder);
  const trial = verdict.trials.find((one) => one.id === id);
  if (trial) return { folder, verdict, trial };
  const ids = verdict.trials.map((one) => one.id);
  throw badUsage(
    `trial ${JSON.stringify(cutText(id, 120))}`,
    `the run ${verdict.run} has no such trial`,
    cutText(ids.join(', '), 600),
    didYouMean(id, ids, 'name one of these'),
  );
}

/** Of the attempt that decided; empty where none was performed. */
export async function eventsOf(
  { project }: ToolContext,
  { folder, trial }: Pick<StoredTrial, 'folder' | 'trial'>,
): Promise<readonly AttemptEvent[]> {
  if (trial.folder === null) return [];
  const place = path.join(folder, trial.folder);
  inside(project, path.join(place, 'events.ndjson'));
  return (await readTrialJournal(place)).events;
}

/** A journal that cannot be read is no reason to say nothing: the verdict says that it is so. */
export async function eventsIfReadable(
  context: ToolContext,
  stored: Pick<StoredTrial, 'folder' | 'trial'>,
): Promise<readonly AttemptEvent[]> {
  return (await eventsOf(context, stored).catch(ifProblem)) ?? [];
}

/** Also where a link leads. */
export function inside(project: string, file: string): string {
  if (isIn(realPath(project), realPath(file))) return file;
  throw badUsage(
    file,
    `it leads out of the project: ${realPath(file)}`,
    `files inside ${project}`,
    'look at the links on the way to it',
  );
}
