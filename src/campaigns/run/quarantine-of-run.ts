/** What the quarantine means for a run: the trials it excuses, the reasons it adds, the entries that can be removed. */
import type { JudgedEntry, PlannedEntry, Quarantined } from '../../checks/quarantine.ts';
import { speaksOf } from '../../checks/quarantine.ts';
import type { RunReason, TrialVerdict } from '../../checks/verdict.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import type { RunPlan } from './run-plan.ts';

type QuarantinedPlan = Pick<RunPlan, 'quarantine' | 'trials'>;

/** A trial or check that passed in so many runs in a row is no longer a flake. */
export const staleAfterRuns = 20;

/** The entries that apply to a trial: none that is expired, and none at all if the gate forbids them. */
export function entriesFor({ quarantine }: QuarantinedPlan, id: string): readonly PlannedEntry[] {
  if (!quarantine || quarantine.policy === 'forbid') return [];
  return quarantine.entries.filter((entry) => !entry.isExpired && speaksOf(entry, id));
}

export function excuse(entry: PlannedEntry, verdict: Quarantined['verdict']): Quarantined {
  const { owner, reason, until } = entry;
  return { owner, reason, until, verdict };
}

/** Not attached to a trial, so that reports show them whatever its verdict. */
export function quarantineReasons({ quarantine, trials }: QuarantinedPlan): RunReason[] {
  if (!quarantine) return [];
  const selected = quarantine.entries.filter((entry) => trials.some(({ id }) => speaksOf(entry, id)));
  return selected.flatMap((entry) => {
    const { trial, owner, until, line, isExpired } = entry;
    const where = `${quarantine.file}:${line}`;
    const text = isExpired
      ? `the quarantine of ${trial} expired on ${until} (${owner}): correct the trial or the system, or give it a new day in ${where}`
      : `${trial} is in quarantine (${owner}, until ${until}), and this gate forbids that: ${where}`;
    if (!isExpired && quarantine.policy === 'allow') return [];
    return [{ exitCode: exitCodes.dishonest, text }];
  });
}

/** Entries of trials that this run selected, and every one that is expired. */
export function judgedEntries(
  { quarantine }: QuarantinedPlan,
  trials: readonly TrialVerdict[],
): readonly JudgedEntry[] {
  return (quarantine?.entries ?? []).flatMap((entry) => {
    const meant = trials.filter(({ id }) => speaksOf(entry, id));
    if (meant.length === 0 && !entry.isExpired) return [];
    const held = meant.length > 0 && meant.every((trial) => hasHeld(entry, trial));
    return [
      {
        ...entry,
        file: quarantine?.file ?? '',
        trials: meant.map(({ id, verdict }) => ({ id, verdict })),
        isStale: held && entry.heldInARow + 1 >= staleAfterRuns,
      },
    ];
  });
}

/** For an entry that names one check: that check. */
export function hasHeld({ check }: Pick<PlannedEntry, 'check'>, trial: HeldTrial): boolean {
  if (check === undefined || trial.verdict === 'passed') return trial.verdict === 'passed';
  return trial.checks.some(({ id, verdict }) => id === check && verdict === 'passed');
}

type HeldTrial = {
  readonly verdict: string;
  readonly checks: ReadonlyArray<{ readonly id: string; readonly verdict: string }>;
};
