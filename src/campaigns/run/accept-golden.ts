/** Stores the observations of a run as the new golden outputs; the diff is reviewed in git. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { viewAttempt } from '../../checks/attempt-view.ts';
import { canonicalText } from '../../checks/golden.ts';
import { writeShared } from '../../journal/write-redacted.ts';
import { projectPlace } from '../../kernel/folders/project-place.ts';
import { readAttempt, trialFolder } from './read-attempt.ts';
import { readRunPlan } from './run-plan.ts';

/** Returns the files that were written: all of them, or none where one may not be. */
export async function acceptGolden(folder: string): Promise<readonly string[]> {
  const plan = readRunPlan(folder);
  const accepted = new Map<string, string>();
  for (const { id, checks } of plan.trials) {
    const place = path.join(folder, trialFolder(id, 1));
    if (!checks.some(({ golden }) => golden) || !existsSync(place)) continue;
    const view = viewAttempt((await readAttempt(folder, plan, id, 1)).events);
    for (const { id: check, golden, kind, query } of checks) {
      if (!golden || !view) continue;
      const sample = view.probes.get(check)?.samples.at(-1);
      const step = kind === 'exchange' ? view.steps.get(String(query.exchange)) : undefined;
      const seen = sample?.type === 'probe.sampled' ? sample.value : step?.evidence;
      if (seen === undefined) continue;
      const file = path.join(plan.system.folder, golden.file);
      projectPlace(plan.system.folder, file);
      accepted.set(file, `${canonicalText(seen)}\n`);
    }
  }
  for (const [file, text] of accepted) writeShared(plan.system.folder, file, text);
  return [...accepted.keys()];
}
