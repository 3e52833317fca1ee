/** Rules on trials: each can fail, says what it is for, and acts only as the policy of the suite allows. */
import { mayShow } from '../../../checks/absence.ts';
import { explanationFaults } from '../../../checks/explanation.ts';
import { canFail } from '../../../checks/trial-record.ts';
import { driverNames, stepKind } from '../../../kinds/step-kinds.ts';
import type { Trial } from '../../../trials/trial.ts';
import { type Found, inTrial, type Rule } from '../rule.ts';
import type { Suite } from './suite.ts';
import { inModule } from './suite-modules.ts';

/** What is the same in every case of a trial is reported once. */
function trialRule({
  findIn,
  ...rule
}: Omit<Rule<Suite>, 'find'> & {
  findIn(trial: Trial, folder: string): readonly Found[];
}): Rule<Suite> {
  return {
    ...rule,
    find: ({ trials, system }) => {
      const found = trials.flatMap((trial) => findIn(trial, system.folder));
      const groups = Map.groupBy(found, ({ trial, check = '' }) => `${trial}, ${check}`);
      return [...groups.values()].flatMap(([first]) => first ?? []);
    },
  };
}

export const trialRules: readonly Rule<Suite>[] = [
  trialRule({
    kind: 'no-check',
    level: 'finding',
    why: 'a trial without a check passes whatever the system does; a run of it ends with 6',
    next: 'add `checks`, or `expect` to a step',
    findIn: (trial) => (canFail(trial.record) ? [] : [{ ...inTrial(trial), text: 'it checks nothing' }]),
  }),
  trialRule({
    kind: 'absence-without-twin',
    level: 'finding',
    why: 'an observer that looks at the wrong place sees nothing either; a run of it ends with 6',
    findIn: (trial, folder) =>
      trial.record.checks
        .filter((check) => check.absence && check.provenBy === undefined && !mayShow(check))
        .map(({ id: check, source }) => ({
          ...inTrial(trial, folder, { check }),
          check,
          text: 'nothing proves that it would have been seen',
          next: `add \`provenBy: <trial>\` with a trial in which \`${source}\` shows something`,
        })),
  }),
  trialRule({
    kind: 'generated-unexplained',
    level: 'finding',
    why: 'a trial that a tool wrote earns trust only when a person can read what it protects; a run of it ends with 6',
    next: 'write it, or remove the trial',
    findIn: (trial) => explanationFaults(trial.record).map(({ text }) => ({ ...inTrial(trial), text })),
  }),
  trialRule({
    kind: 'regression-not-shown-red',
    level: 'warning',
    why: 'a trial that also passes on the faulty version does not prevent a regression',
    next: 'perform it on that version, and record it: `regression: { shownRedOn: "<revision>" }`',
    findIn: (trial) => {
      const text = 'it is labelled a regression trial, but was never shown to fail';
      return trial.record.regression?.shownRedOn === null ? [{ ...inTrial(trial), text }] : [];
    },
  }),
];

export const driverRule: Rule<Suite> = {
  kind: 'driver-not-allowed',
  level: 'finding',
  why: 'the policy restricts the suite to what users of the system do',
  find: ({ system, trials, modules }) => {
    const allowed = system.suite?.drivers;
    if (!allowed) return [];
    const inFiles = trials.flatMap((trial) =>
      trial.steps.map(({ name, kind }) => ({
        place: inTrial(trial, system.folder, { step: name }),
        driver: stepKind(kind).driver,
      })),
    );
    const inFlows = modules.flatMap((module) =>
      module.scan.calls.map(({ callee, line }) => ({
        place: inModule(module, line),
        driver: driverNames().find((name) => callee === name || callee.endsWith(`.${name}`)),
      })),
    );
    return [...inFiles, ...inFlows].flatMap(({ place, driver }) => {
      if (driver === undefined || allowed.includes(driver)) return [];
      const text = `it acts by \`${driver}\`, but the policy of the suite allows only ${allowed.join(', ')}`;
      const next = `act by ${allowed.join(' or ')}, or add \`${driver}\` to \`suite.drivers\``;
      return [{ ...place, text, next }];
    });
  },
};
