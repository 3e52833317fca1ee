/** The newest earlier attempt of each trial of a run: what differs there is noise, and what was checked there and is not any more is lost. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { readAttempt } from '../run/read-attempt.ts';
import { type RunPlan, readRunPlan } from '../run/run-plan.ts';
import { type Subject, subjectOf } from './sabotage-attempt.ts';

const mostRuns = 20;

/** By trial; only attempts that were performed to their end. */
export async function earlierAttempts(
  runFolder: string,
  trials: Iterable<string>,
): Promise<ReadonlyMap<string, Subject>> {
  const open = new Set(trials);
  const found = new Map<string, Subject>();
  for (const folder of earlierRuns(runFolder)) {
    if (open.size === 0) break;
    const plan = planOf(folder);
    for (const { id } of plan?.trials ?? []) {
      const then = plan && open.has(id) ? await performedThen(folder, plan, id) : undefined;
      if (!then) continue;
      open.delete(id);
      found.set(id, then);
    }
  }
  return found;
}

/** Newest first. */
function earlierRuns(runFolder: string): readonly string[] {
  const runs = path.dirname(runFolder);
  return readdirSync(runs)
    .filter((name) => name < path.basename(runFolder))
    .sort()
    .reverse()
    .slice(0, mostRuns)
    .map((name) => path.join(runs, name));
}

function planOf(folder: string): RunPlan | undefined {
  try {
    return readRunPlan(folder);
  } catch {
    return undefined; // of `up`, of another version, or cut off: the run before it is as good
  }
}

/** Undefined if it was not performed or can no longer be read. */
async function performedThen(folder: string, plan: RunPlan, id: string): Promise<Subject | undefined> {
  const journal = await readAttempt(folder, plan, id, 1).catch(() => undefined); // it was not performed then
  const subject = journal && subjectOf(journal.events);
  return subject?.view.ended?.end === 'done' ? subject : undefined;
}
