/** What an earlier run checked and this one does not: a removed check is reported, with what nothing reads since. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { stepCheckId } from '../../checks/judge-steps.ts';
import { readAttempt } from '../run/read-attempt.ts';
import { type RunPlan, readRunPlan } from '../run/run-plan.ts';
import type { Exposure } from './exposure.ts';
import { collectRunFacts } from './run-facts.ts';
import { type ExaminedCheck, type Subject, sabotageAttempt, subjectOf } from './sabotage-attempt.ts';
import { type Sabotaged, type SabotagedTrial, withoutCase } from './sabotage-run.ts';

const mostRuns = 20;

/** Each trial is compared with the newest earlier run in which it was performed; removed trials are not reported. */
export async function lostChecks(runFolder: string, now: Sabotaged): Promise<readonly Exposure[]> {
  const open = new Map(now.trials.map((trial) => [trial.id, trial]));
  const lost: Exposure[] = [];
  for (const folder of earlierRuns(runFolder)) {
    if (open.size === 0) break;
    const plan = planOf(folder);
    for (const { id } of plan?.trials ?? []) {
      const trial = open.get(id);
      const then = plan && trial && (await performedThen(folder, plan, id));
      if (!trial || !then) continue;
      open.delete(id);
      const kept = new Set(trial.checks.map((check) => check.id));
      // Examine only attempts that miss something.
      if (idsOf(then).every((check) => kept.has(check))) continue;
      const { checks } = sabotageAttempt(then, collectRunFacts(then.checksUnderTest));
      lost.push(
        ...checks
          .filter((check) => !kept.has(check.id) && check.vital !== false)
          .map((check) => lossOf(check, trial)),
      );
    }
  }
  return onceForAllCases(lost);
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

function idsOf({ view: { record, checks } }: Subject): readonly string[] {
  const steps = record.steps.filter(({ expect }) => expect !== undefined);
  return [...steps.map(({ name }) => stepCheckId(name)), ...checks.map(({ id }) => id)];
}

function lossOf(
  { id, source, guards }: ExaminedCheck,
  { id: trial, checks, file, line }: SabotagedTrial,
): Exposure {
  const guarded = new Set(checks.flatMap((check) => check.guards.map((place) => `${check.source} ${place}`)));
  const lost = guards.filter((place) => !guarded.has(`${source} ${place}`));
  const what =
    lost.length === 0
      ? `other checks still read everything that it read of ${source}`
      : `nothing reads ${lost.map((place) => `\`${place.replace(/^\$\.?/, '') || 'it'}\``).join(', ')} of ${source} any more`;
  return {
    trial: withoutCase(trial),
    file,
    line: Math.max(line, ...checks.map((check) => check.line)),
    source,
    path: lost[0] ?? '$',
    risk: 'outcome',
    text: `the check \`${id}\` is gone: ${what}`,
    check: `  ${id}: … # as it was before: git log -p ${file}`,
    lost: id,
  };
}

function onceForAllCases(lost: readonly Exposure[]): readonly Exposure[] {
  return [...new Map(lost.map((loss) => [`${loss.file} ${loss.trial} ${loss.lost}`, loss])).values()];
}
