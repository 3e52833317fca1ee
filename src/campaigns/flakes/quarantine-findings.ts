/** What `lint` holds against the quarantine: entries that are expired, and those that have not been needed for long. */
import type { LintFinding } from '../../checks/lint-finding.ts';
import { staleAfterRuns } from '../run/quarantine-of-run.ts';
import { planQuarantine, type QuarantineParts } from './plan-quarantine.ts';

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
        why: 'what is in quarantine and does not fail would hide the next fault',
        next: 'remove the entry',
      },
    ];
  });
}
