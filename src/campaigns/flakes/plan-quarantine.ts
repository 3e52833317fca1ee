/** The quarantine when a run begins: which entries are expired, and how long each has not been needed. */
import type { LintFinding } from '../../checks/lint-finding.ts';
import { type PlannedQuarantine, type QuarantineEntry, speaksOf } from '../../checks/quarantine.ts';
import { hasHeld, staleAfterRuns } from '../run/quarantine-of-run.ts';
import { outcomeOf } from './outcomes.ts';
import { readStoredRuns, type StoredRun } from './stored-runs.ts';

export interface QuarantineParts {
  /** Relative to the folder of the config. */
  readonly file: string;
  readonly entries: readonly QuarantineEntry[];
  readonly policy: PlannedQuarantine['policy'];
  readonly systemFolder: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Undefined when nothing is in quarantine. Days are UTC, so that every machine of a team sees the same. */
export function planQuarantine(parts: QuarantineParts): PlannedQuarantine | undefined {
  const { file, entries, policy, systemFolder, now } = parts;
  if (entries.length === 0) return undefined;
  const { runs } = readStoredRuns(systemFolder);
  return {
    file,
    policy,
    entries: entries.map((entry) => ({
      ...entry,
      isExpired: isExpired(entry, now),
      heldInARow: heldInARow(entry, runs),
    })),
  };
}

/** The day itself is still included. */
function isExpired({ until }: Pick<QuarantineEntry, 'until'>, now: number): boolean {
  return new Date(now).toISOString().slice(0, 10) > until;
}

/** Runs in which it was not performed, or could not be judged, do not count. */
function heldInARow(entry: QuarantineEntry, runs: readonly StoredRun[]): number {
  let count = 0;
  for (const { trials } of runs.toReversed()) {
    const meant = trials.filter((trial) => speaksOf(entry, trial.id) && outcomeOf(trial) !== 'undecided');
    if (meant.length === 0) continue;
    if (!meant.every((trial) => hasHeld(entry, trial))) break;
    count += 1;
  }
  return count;
}

export function quarantineFindings(parts: Omit<QuarantineParts, 'policy'>): readonly LintFinding[] {
  const entries = planQuarantine({ ...parts, policy: 'allow' })?.entries ?? [];
  return entries.flatMap(({ trial, check, owner, until, line, isExpired, heldInARow }): LintFinding[] => {
    const place = { trial, ...(check === undefined ? {} : { check }), file: parts.file, line };
    if (isExpired)
      return [
        {
          kind: 'quarantine-expired',
          level: 'finding',
          ...place,
          text: `its quarantine expired on ${until} (${owner})`,
          why: 'an expired entry excuses nothing, and a run of the trial ends with 6',
          next: 'correct the trial or the system and remove the entry, or give it a new day',
        },
      ];
    if (heldInARow < staleAfterRuns) return [];
    return [
      {
        kind: 'quarantine-stale',
        level: 'warning',
        ...place,
        text: `it has held in its last ${heldInARow} runs`,
        why: 'a quarantined trial that no longer fails would hide the next failure',
        next: 'remove the entry',
      },
    ];
  });
}
