/** What a suite has lost: requirements, trials, cases, checks, and coverage. Pure. */
import { defined } from '../../kernel/defined.ts';
import { nameOf, type RequirementFinding } from '../finding.ts';
import type { Requirement } from '../requirement.ts';
import type { TrialOutline } from './suite-outline.ts';

export interface Declared {
  readonly requirements: readonly Pick<Requirement, 'id' | 'title' | 'priority'>[];
  readonly trials: readonly TrialOutline[];
}

/** `revision` as it was named. */
export function lostSince(revision: string, before: Declared, now: Declared): readonly RequirementFinding[] {
  const trials = new Map(now.trials.map((trial) => [trial.id, trial]));
  const gone = `existed at ${revision}, and is gone`;
  return [
    ...lostRequirements(gone, before, now),
    ...lostCoverage(revision, before, now),
    ...before.trials.flatMap((trial): RequirementFinding[] => {
      const { id, file } = trial;
      const same = trials.get(id);
      if (same) return lostParts(gone, trial, same);
      const text = `the trial ${id} existed at ${revision} (${file}), and is gone`;
      const next = 'bring it back, or let another trial check what it checked, under the same id';
      return [{ kind: 'lost-trial', trial: id, file, text, next }];
    }),
  ];
}

function lostRequirements(gone: string, before: Declared, now: Declared): RequirementFinding[] {
  const ids = new Set(now.requirements.map(({ id }) => id));
  return before.requirements
    .filter(({ id }) => !ids.has(id))
    .map(({ id, title, priority }) => ({
      kind: 'lost-requirement',
      requirement: id,
      ...defined({ priority }),
      text: `the requirement ${nameOf(defined({ id, title }))} ${gone}`,
      next: 'bring it back, or keep it as deferred, with the reason',
    }));
}

/** Replaced is not lost: another trial may cover it. */
function lostCoverage(revision: string, before: Declared, now: Declared): RequirementFinding[] {
  const covered = new Set(now.trials.flatMap(({ covers }) => covers));
  return now.requirements.flatMap(({ id, priority }): RequirementFinding[] => {
    const earlier = before.trials.filter(({ covers }) => covers.includes(id)).map((trial) => trial.id);
    if (earlier.length === 0 || covered.has(id)) return [];
    return [
      {
        kind: 'lost-coverage',
        requirement: id,
        ...defined({ priority }),
        text: `${id} was covered at ${revision}, by ${earlier.join(', ')}, and no trial covers it any more`,
        next: `write \`covers: [${id}]\` in the trial that shows it now`,
      },
    ];
  });
}

/** Cases, checks, and what its steps expected. */
function lostParts(gone: string, before: TrialOutline, now: TrialOutline): RequirementFinding[] {
  const { id, file } = now;
  const cases = missing(before.cases, now.cases).map((name) => `the case ${name} of ${id}`);
  const checks = missing(before.checks, now.checks).map((name) => `the check ${name} of ${id}`);
  const named = missing(before.expecting, now.expecting).map(
    (name) => `what the step ${name} of ${id} expects`,
  );
  const fewer = before.expectations - now.expectations;
  const steps = fewer === 1 ? 'one step' : `${fewer} steps`;
  const unnamed = named.length === 0 && fewer > 0 ? [`what ${steps} of ${id} expected`] : [];
  const next = 'bring it back, or check the same under the same name';
  const lost = (kind: 'lost-trial' | 'lost-check') => (what: string) => ({
    ...{ kind, trial: id, file, next },
    text: `${what} ${gone}`,
  });
  return [...cases.map(lost('lost-trial')), ...[...checks, ...named, ...unnamed].map(lost('lost-check'))];
}

function missing(before: readonly string[] = [], now: readonly string[] = []): readonly string[] {
  return [...new Set(before)].filter((one) => !now.includes(one));
}
