/** Coverage as JSON. */
import type { RequirementState } from '../../checks/verdict.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import type { CoveredRequirement, GatheredCoverage } from '../../requirements/coverage.ts';

export function coverageJson(gathered: GatheredCoverage, exitCode: ExitCode): unknown {
  const { coverage, failing, warnings, undetermined, notes } = gathered;
  const { requirements, ...rest } = coverage;
  const byPriority = Map.groupBy(requirements, ({ priority }) => priority ?? 'none');
  return {
    ...rest,
    gate: gathered.gate ?? null,
    against: gathered.against ?? null,
    exitCode,
    counts: countStates(requirements),
    priorities: Object.fromEntries(
      [...byPriority].map(([priority, group]) => [priority, countStates(group)]),
    ),
    requirements,
    findings: failing,
    warnings,
    undetermined,
    notes,
  };
}

function countStates(
  requirements: readonly CoveredRequirement[],
): Partial<Record<RequirementState | 'total', number>> {
  const counts: Partial<Record<RequirementState | 'total', number>> = { total: requirements.length };
  for (const { state } of requirements) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
