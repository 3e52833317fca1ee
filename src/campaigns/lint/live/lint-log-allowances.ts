/** Allowances for error lines that no line of the newest run needed. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { baseId } from '../../../kernel/base-id.ts';
import type { LogAllowance, System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { inTrial, type Place } from '../rule.ts';
import { expressionOf } from '../suite/silenced-gate.ts';
import { configPlaces } from '../suite/suite.ts';
import type { ErrorLine, StoredRun } from './stored-run.ts';

interface Allowed {
  readonly allowance: LogAllowance;
  /** Of a roster: each of its members. */
  readonly services: readonly string[];
  /** It is judged only if all of these were performed. */
  readonly trials: readonly Trial[];
  place(): Place | Promise<Place>;
}

export async function lintLogAllowances(
  system: System,
  trials: readonly Trial[],
  run: StoredRun | undefined,
) {
  const all = [...generalAllowances(system, trials), ...ownAllowances(system, trials)];
  const judged = all.map((one) => ({ ...one, lines: linesOf(one.trials, run) }));
  const findings = judged
    .filter(({ allowance, services, lines }) => lines && !isUsed(allowance, services, lines))
    .map(
      async ({ allowance: { service, match }, place }): Promise<LintFinding> => ({
        kind: 'unused-log-allowance',
        level: 'warning',
        ...(await place()),
        text: `no error line of ${service} in run ${run?.id} is like ${JSON.stringify(match)}`,
        why: 'an allowance that nothing needs hides the next error that it happens to match',
        next: 'remove it, or correct the expression',
      }),
    );
  const count = judged.filter(({ lines }) => !lines).length;
  const because = run
    ? `run ${run.id} did not perform every trial that they are for`
    : 'no stored run shows which lines there are';
  return {
    findings: await Promise.all(findings),
    notKnown: count === 0 ? [] : [{ what: 'allowances for error lines', count, because }],
  };
}

/** Undefined if one of the trials was not performed. */
function linesOf(trials: readonly Trial[], run: StoredRun | undefined): readonly ErrorLine[] | undefined {
  const lines = trials.map(({ record }) => run?.errors.get(record.id));
  return lines.includes(undefined) ? undefined : (lines as ErrorLine[][]).flat();
}

function generalAllowances(system: System, trials: readonly Trial[]): readonly Allowed[] {
  const inConfig = configPlaces(system);
  return (system.logs.allow ?? []).map((allowance, index) => ({
    allowance,
    services: system.rosters[allowance.service] ?? [allowance.service],
    trials,
    place: () => inConfig(['logs', 'allow', index]),
  }));
}

/** The cases of a trial share them, and a single case may be the only one that needs one. */
function ownAllowances({ logs }: System, trials: readonly Trial[]): readonly Allowed[] {
  const isGeneral = (own: LogAllowance): boolean =>
    (logs.allow ?? []).some(({ match, because }) => match === own.match && because === own.because);
  const own = trials.flatMap((trial) =>
    trial.record.logs.allow.filter((one) => !isGeneral(one)).map((allowance) => ({ trial, allowance })),
  );
  const groups = Map.groupBy(own, ({ trial, allowance: { match, because } }) =>
    JSON.stringify([baseId(trial.record.id), match, because]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const services = group.map(({ allowance }) => allowance.service);
    const cases = [...new Set(group.map(({ trial }) => trial))];
    return [{ allowance: first.allowance, services, trials: cases, place: () => inTrial(first.trial) }];
  });
}

function isUsed({ match }: LogAllowance, services: readonly string[], lines: readonly ErrorLine[]): boolean {
  const pattern = match.includes('${') ? undefined : expressionOf(match);
  // A value that is filled in at run time cannot be tested.
  return !pattern || lines.some((line) => services.includes(line.service) && pattern.test(line.text));
}
