/** What an earlier run checked and this one does not: a removed check is reported, with what nothing reads since. */
import { stepCheckId } from '../../checks/judge-steps.ts';
import type { Exposure } from './exposure.ts';
import { collectRunFacts } from './run-facts.ts';
import { type ExaminedCheck, type Subject, sabotageAttempt } from './sabotage-attempt.ts';
import { type Sabotaged, type SabotagedTrial, withoutCase } from './sabotage-run.ts';

/** `earlier` are the attempts of the newest earlier run; removed trials are not reported. */
export function lostChecks(now: Sabotaged, earlier: ReadonlyMap<string, Subject>): readonly Exposure[] {
  const lost = now.trials.flatMap((trial) => {
    const then = earlier.get(trial.id);
    const kept = new Set(trial.checks.map((check) => check.id));
    // Examine only attempts that miss something.
    if (!then || idsOf(then).every((check) => kept.has(check))) return [];
    const { checks } = sabotageAttempt(then, collectRunFacts([then]));
    return checks
      .filter((check) => !kept.has(check.id) && check.vital !== false)
      .map((check) => lossOf(check, trial));
  });
  return onceForAllCases(lost);
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
    endpoint: source,
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
