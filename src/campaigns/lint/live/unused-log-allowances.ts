/** Allowances for error lines that no line of the newest run needed. Pure. */
import type { LintFinding, NotKnown } from '../../../checks/lint-finding.ts';
import type { LogAllowance, System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { baseId, type LintPlace, slashed } from '../place-of-part.ts';
import type { ErrorLine, StoredRun } from './stored-run.ts';

export interface LogAllowanceLook {
  readonly findings: readonly LintFinding[];
  readonly notKnown: readonly NotKnown[];
  /** Of the config: positions in `logs.allow` that nothing needed. */
  readonly idle: readonly number[];
}

/** What the config allows is judged only when every trial was performed; what a trial allows, when all of its cases were. */
export function unusedLogAllowances(
  system: System,
  trials: readonly Trial[],
  run: StoredRun | undefined,
): LogAllowanceLook {
  const general = system.logs.allow ?? [];
  const own = ownAllowances(trials, general);
  const linesOf = (some: readonly Trial[]): readonly ErrorLine[] | undefined => {
    const lines = some.map(({ record }) => run?.errors.get(record.id));
    return lines.includes(undefined) ? undefined : (lines as ErrorLine[][]).flat();
  };
  const everything = linesOf(trials);
  const judged = own.map((one) => ({ ...one, lines: linesOf(one.trials) }));
  const unused = judged.filter(
    ({ allowance, services, lines }) => lines && !isUsed(allowance, services, lines),
  );
  const open = judged.filter(({ lines }) => !lines).length + (everything ? 0 : general.length);
  return {
    findings: unused.flatMap(({ trials: [first], allowance }) => {
      const { file, line } = first?.record ?? { file: system.file, line: 1 };
      const told = idleAllowance(allowance, run?.id ?? '', { file: slashed(file), line });
      return first ? [{ ...told, trial: baseId(first) }] : [];
    }),
    notKnown: open === 0 ? [] : [unknownOnes(open, run)],
    idle: general.flatMap((allowance, index) => {
      const services = system.rosters[allowance.service] ?? [allowance.service];
      return !everything || isUsed(allowance, services, everything) ? [] : [index];
    }),
  };
}

export function idleAllowance({ service, match }: LogAllowance, run: string, place: LintPlace): LintFinding {
  return {
    kind: 'unused-log-allowance',
    level: 'warning',
    ...place,
    text: `no error line of ${service} in run ${run} is like ${JSON.stringify(match)}`,
    why: 'an allowance that nothing needs hides the next error that it happens to match',
    next: 'remove it, or correct the expression',
  };
}

interface OwnAllowance {
  readonly allowance: LogAllowance;
  /** Of a roster: each of its members. */
  readonly services: readonly string[];
  /** All cases of one trial. */
  readonly trials: readonly Trial[];
}

/** The cases of a trial have the same ones, and one of them may be the only one that needs it. */
function ownAllowances(trials: readonly Trial[], general: readonly LogAllowance[]): readonly OwnAllowance[] {
  const found = new Map<string, OwnAllowance>();
  for (const trial of trials)
    for (const allowance of trial.record.logs.allow) {
      const { match, because, service } = allowance;
      if (general.some((one) => one.match === match && one.because === because)) continue;
      const key = JSON.stringify([baseId(trial), match, because]);
      const known = found.get(key);
      found.set(key, {
        allowance: known?.allowance ?? allowance,
        services: [...(known?.services ?? []), service],
        trials: [...new Set([...(known?.trials ?? []), trial])],
      });
    }
  return [...found.values()];
}

function isUsed({ match }: LogAllowance, services: readonly string[], lines: readonly ErrorLine[]): boolean {
  const pattern = expressionOf(match);
  // What is filled in only then cannot be tried.
  return !pattern || lines.some((line) => services.includes(line.service) && pattern.test(line.text));
}

function expressionOf(written: string): RegExp | undefined {
  if (written.includes('${')) return undefined;
  try {
    return new RegExp(written);
  } catch {
    return undefined; // told when the trial is read
  }
}

function unknownOnes(count: number, run: StoredRun | undefined): NotKnown {
  return {
    what: 'allowances for error lines',
    count,
    because: run
      ? `run ${run.id} did not perform every trial that they are for`
      : 'no run is stored that would show which lines there are',
  };
}
