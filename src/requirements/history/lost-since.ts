/** What a suite had and has no more: requirements, trials, cases, checks, and coverage. Pure. */
import type { RequirementFinding } from '../finding.ts';
import type { TrialOutline } from './suite-outline.ts';

export interface Declared {
  readonly requirements: readonly {
    readonly id: string;
    readonly title?: string;
    readonly priority?: string;
  }[];
  readonly trials: readonly TrialOutline[];
}

/** `revision` as it was named. */
export function lostSince(revision: string, before: Declared, now: Declared): readonly RequirementFinding[] {
  const trials = new Map(now.trials.map((trial) => [trial.id, trial]));
  return [
    ...lostRequirements(revision, before, now),
    ...lostCoverage(revision, before, now),
    ...before.trials.flatMap((trial) => {
      const same = trials.get(trial.id);
      if (!same) return [lostTrial(revision, trial)];
      return [...lostCases(revision, trial, same), ...lostChecks(revision, trial, same)];
    }),
  ];
}

function lostRequirements(revision: string, before: Declared, now: Declared): RequirementFinding[] {
  const ids = new Set(now.requirements.map(({ id }) => id));
  return before.requirements
    .filter(({ id }) => !ids.has(id))
    .map(({ id, title, priority }) => ({
      kind: 'lost-requirement',
      requirement: id,
      ...(priority === undefined ? {} : { priority }),
      text: `the requirement ${title === undefined ? id : `${id} (${title})`} was there at ${revision}, and is gone`,
      next: 'bring it back, or keep it as deferred, with the reason',
    }));
}

/** Replaced is not lost: another trial that covers it is as good. */
function lostCoverage(revision: string, before: Declared, now: Declared): RequirementFinding[] {
  const covered = new Set(now.trials.flatMap(({ covers }) => covers));
  return now.requirements.flatMap(({ id, priority }): RequirementFinding[] => {
    const earlier = before.trials.filter(({ covers }) => covers.includes(id)).map((trial) => trial.id);
    if (earlier.length === 0 || covered.has(id)) return [];
    return [
      {
        kind: 'lost-coverage',
        requirement: id,
        ...(priority === undefined ? {} : { priority }),
        text: `${id} was covered at ${revision}, by ${earlier.join(', ')}, and no trial covers it any more`,
        next: `write \`covers: [${id}]\` in the trial that shows it now`,
      },
    ];
  });
}

function lostTrial(revision: string, { id, file }: TrialOutline): RequirementFinding {
  return {
    kind: 'lost-trial',
    trial: id,
    file,
    text: `the trial ${id} was there at ${revision} (${file}), and is gone`,
    next: 'bring it back, or let another trial check what it checked, under the same id',
  };
}

function lostCases(revision: string, before: TrialOutline, now: TrialOutline): RequirementFinding[] {
  const names = now.cases ?? [];
  return (before.cases ?? [])
    .filter((name) => !names.includes(name))
    .map((name) => lostPart('lost-trial', revision, now, `the case ${name} of ${before.id}`));
}

function lostChecks(revision: string, before: TrialOutline, now: TrialOutline): RequirementFinding[] {
  const checks = missing(before.checks, now.checks).map((id) => `the check ${id} of ${before.id}`);
  const named = missing(before.expecting, now.expecting).map(
    (name) => `what the step ${name} of ${before.id} expects`,
  );
  const fewer = before.expectations - now.expectations;
  const unnamed =
    named.length === 0 && fewer > 0
      ? [`what ${fewer === 1 ? 'one step' : `${fewer} steps`} of ${before.id} expected`]
      : [];
  return [...checks, ...named, ...unnamed].map((what) => lostPart('lost-check', revision, now, what));
}

function missing(before: readonly string[], now: readonly string[]): readonly string[] {
  return [...new Set(before)].filter((one) => !now.includes(one));
}

function lostPart(
  kind: 'lost-trial' | 'lost-check',
  revision: string,
  { id, file }: TrialOutline,
  what: string,
): RequirementFinding {
  return {
    kind,
    trial: id,
    file,
    text: `${what} was there at ${revision}, and is gone`,
    next: 'bring it back, or check the same under the same name',
  };
}
