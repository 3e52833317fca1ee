/** The quarantine as it stands when a run begins: which entries are expired, and how long each has not been needed. */
import type { PlannedQuarantine, QuarantineEntry } from '../../checks/quarantine.ts';
import { heldInARow } from './held-in-a-row.ts';
import { readStoredRuns } from './stored-runs.ts';

export interface QuarantineParts {
  /** Relative to the folder of the config. */
  readonly file: string;
  readonly entries: readonly QuarantineEntry[];
  readonly policy: PlannedQuarantine['policy'];
  readonly systemFolder: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Undefined when nothing is in quarantine. Days are those of UTC, so that every machine of a team sees the same. */
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

/** The day itself still counts. */
function isExpired({ until }: Pick<QuarantineEntry, 'until'>, now: number): boolean {
  return new Date(now).toISOString().slice(0, 10) > until;
}
