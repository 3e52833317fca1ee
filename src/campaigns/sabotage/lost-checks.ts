/** What earlier sabotage knew and this one does not: a check that is gone is told, with what nobody reads since. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Exposure } from './exposure.ts';
import { type Sabotaged, type SabotagedTrial, withoutCase } from './sabotage-run.ts';

export const sabotageFile = 'sabotage.json';

/** Of the newest run before this one that was sabotaged; undefined where none was. */
export function earlierSabotage(runFolder: string): Sabotaged | undefined {
  const runs = path.dirname(runFolder);
  const earlier = readdirSync(runs)
    .filter((name) => name < path.basename(runFolder))
    .sort()
    .reverse();
  for (const name of earlier) {
    const found = readSabotaged(path.join(runs, name, sabotageFile));
    if (found) return found;
  }
  return undefined;
}

function readSabotaged(file: string): Sabotaged | undefined {
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as Partial<Sabotaged> | null;
    return Array.isArray(found?.trials) ? (found as Sabotaged) : undefined;
  } catch {
    return undefined; // never sabotaged, or cut off while it was written: the run before it is as good
  }
}

/** Only of trials that were performed both times: whoever runs a part of the suite has lost nothing. */
export function lostChecks(earlier: Sabotaged, now: Sabotaged): readonly Exposure[] {
  const present = new Map(now.trials.map((trial) => [trial.id, trial]));
  return earlier.trials.flatMap((then) => {
    const trial = present.get(then.id);
    if (!trial) return [];
    const kept = new Set(trial.checks.map(({ id }) => id));
    return then.checks
      .filter(({ id, vital }) => vital && !kept.has(id))
      .map((check) => lossOf(check, then, trial));
  });
}

function lossOf(
  { id, source, guards }: SabotagedTrial['checks'][number],
  then: SabotagedTrial,
  { checks, file, line }: SabotagedTrial,
): Exposure {
  const guarded = new Set(checks.flatMap((check) => check.guards.map((place) => `${check.source} ${place}`)));
  const lost = guards.filter((place) => !guarded.has(`${source} ${place}`));
  const what =
    lost.length === 0
      ? `all that it read of ${source} is still read by others`
      : `nobody reads ${lost.map((place) => `\`${place.replace(/^\$\.?/, '') || 'it'}\``).join(', ')} of ${source} any more`;
  return {
    trial: withoutCase(then.id),
    file,
    line: Math.max(line, ...checks.map((check) => check.line)),
    source,
    path: lost[0] ?? '$',
    risk: 'outcome',
    text: `the check \`${id}\` is gone: ${what}`,
    check: `  ${id}: … # as it was in the run before: git log -p ${file}`,
    lost: id,
  };
}
