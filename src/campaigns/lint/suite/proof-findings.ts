/** Trials that can be performed and prove nothing: no check at all, an absence that nobody would have noticed, a purpose nobody knows. */
import { explanationFaults } from '../../../checks/explanation.ts';
import type { LintFinding } from '../../../checks/lint-finding.ts';
import type { Trial } from '../../../trials/trial.ts';
import { baseId, placeOfPart } from '../place-of-part.ts';

export function proofFindings(trials: readonly Trial[], folder: string): readonly LintFinding[] {
  const told = new Set<string>();
  return trials.flatMap((trial) => {
    const found = [...withoutCheck(trial), ...unproven(trial, folder), ...unexplained(trial)];
    // The cases of a trial have the same steps and checks, and are told once.
    return found.filter(({ kind, trial: id, check = '' }) => {
      const name = `${kind} ${id}, ${check}`;
      return !told.has(name) && told.add(name);
    });
  });
}

/** A flow declares its checks while it runs. */
function withoutCheck(trial: Trial): readonly LintFinding[] {
  const { kind, file, line, steps, checks } = trial.record;
  if (kind === 'flow' || checks.length > 0 || steps.some(({ expect }) => expect !== undefined)) return [];
  return [
    {
      kind: 'no-check',
      level: 'finding',
      trial: baseId(trial),
      file,
      line,
      text: 'it checks nothing',
      why: 'a trial without a check passes whatever the system does; a run of it ends with 6',
      next: 'add `checks`, or `expect` to a step',
    },
  ];
}

function unproven(trial: Trial, folder: string): readonly LintFinding[] {
  return trial.record.checks
    .filter(({ absence, provenBy }) => absence && provenBy === undefined)
    .map(({ id: check, source }) => ({
      kind: 'absence-without-twin',
      level: 'finding',
      trial: baseId(trial),
      check,
      ...placeOfPart(trial, { check }, folder),
      text: 'nothing proves that it would have been seen',
      why: 'an observer that looks at the wrong place sees nothing either; a run of it ends with 6',
      next: `add \`provenBy: <trial>\` with a trial in which \`${source}\` shows something`,
    }));
}

function unexplained(trial: Trial): readonly LintFinding[] {
  const { file, line } = trial.record;
  return explanationFaults(trial.record).map(({ text }) => ({
    kind: 'generated-unexplained',
    level: 'finding',
    trial: baseId(trial),
    file,
    line,
    text,
    why: 'a trial that a tool wrote earns trust only when a person can read what it protects; a run of it ends with 6',
    next: 'write it, or remove the trial',
  }));
}
