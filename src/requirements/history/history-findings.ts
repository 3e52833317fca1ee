/** What git says about requirements, as findings: where nobody can tell, a gate that wants to know fails. */
import type { RequirementFinding } from '../finding.ts';
import type { NamedGate } from '../gate-findings.ts';
import { listed } from '../static-findings.ts';
import type { Drift } from './requirement-drift.ts';

export function historyFindings(
  { findings, untold }: Drift,
  gate: Pick<NamedGate, 'name' | 'drift'> | undefined,
): readonly RequirementFinding[] {
  if (gate?.drift !== 'fail') return findings;
  return [
    ...findings,
    ...untold.map(
      ({ ids, because }): RequirementFinding => ({
        kind: 'history-unknown',
        text: `the gate ${gate.name} wants to know whether requirements drifted, and of ${listed(ids)} nobody can tell: ${because}`,
        next: 'run it where the whole history is there, or write `drift: warn` in the gate',
      }),
    ),
  ];
}
