/** Regression trials that nobody has seen red: they may be good trials, and are labelled honestly. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import type { Trial } from '../../../trials/trial.ts';
import { baseId } from '../place-of-part.ts';

/** The cases of a trial say the same, and are told once. */
export function regressionFindings(trials: readonly Trial[]): readonly LintFinding[] {
  const firsts = new Map(trials.map((trial) => [baseId(trial), trial] as const).reverse());
  return [...firsts.values()].flatMap(notShownRed);
}

function notShownRed(trial: Trial): readonly LintFinding[] {
  const { file, line, regression } = trial.record;
  if (regression?.shownRedOn !== null) return [];
  return [
    {
      kind: 'regression-not-shown-red',
      level: 'warning',
      trial: baseId(trial),
      file,
      line,
      text: 'it is called a regression trial, and nobody has seen it fail',
      why: 'a trial that also passes on the version with the fault keeps nothing from coming back',
      next: 'perform it on that version, and write down what you saw: `regression: { shownRedOn: "<revision>" }`',
    },
  ];
}
