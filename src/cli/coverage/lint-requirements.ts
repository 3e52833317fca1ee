/** The findings of `lint` on requirements: those that need no run. */
import type { LintFinding } from '../../checks/lint-finding.ts';
import type { RequirementFinding, RequirementFindingKind } from '../../requirements/finding.ts';
import { loadRequirements } from '../../requirements/load/load-requirements.ts';
import type { System } from '../../system/system.ts';
import type { Trial } from '../../trials/trial.ts';
import type { Call } from '../call/verb.ts';
import { findingsAsWritten } from './plan-requirements.ts';

export async function lintRequirements(
  call: Call,
  system: System,
  trials: readonly Trial[],
): Promise<readonly LintFinding[]> {
  const catalogue = await loadRequirements(system);
  if (!catalogue) return [];
  const findings = await findingsAsWritten(call, system, catalogue.requirements, trials);
  return findings.flatMap(asLintFinding);
}

const reasons: Partial<Record<RequirementFindingKind, string>> = {
  'unknown-requirement': 'its result counts for no requirement',
  'covered-twice': 'one of the two was probably meant to be a different one',
  orphaned: 'no trial would fail if the system did not do it',
  'no-fail-path': 'a system that accepts everything would pass',
  'expired-deferral': 'a deferral without an end is forgotten',
  'lost-source': 'it cannot be checked whether the text is still the one that was agreed on',
};

function asLintFinding({ kind, trial, file, line, text, next }: RequirementFinding): LintFinding[] {
  if (file === undefined) return [];
  const why = reasons[kind] ?? 'requirements and trials do not agree';
  const about = trial === undefined ? {} : { trial };
  return [{ kind, level: 'finding', ...about, file, line: line ?? 1, text, why, next }];
}
