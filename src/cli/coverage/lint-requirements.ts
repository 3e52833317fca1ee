/** What `lint` holds against requirements: all that shows before anything is performed. */
import type { LintFinding } from '../../checks/lint-finding.ts';
import type { RequirementFinding, RequirementFindingKind } from '../../requirements/finding.ts';
import { loadRequirements } from '../../requirements/load-requirements.ts';
import { sourceFindings } from '../../requirements/source-findings.ts';
import { staticFindings } from '../../requirements/static-findings.ts';
import type { System } from '../../system/system.ts';
import type { Trial } from '../../trials/trial.ts';
import type { Call } from '../verb.ts';
import { coveringRecords } from './covering-records.ts';
import { today } from './plan-requirements.ts';

export async function lintRequirements(
  call: Call,
  system: System,
  trials: readonly Trial[],
): Promise<readonly LintFinding[]> {
  const catalogue = await loadRequirements(system);
  if (!catalogue) return [];
  const { requirements } = catalogue;
  return [
    ...staticFindings(requirements, coveringRecords(trials), today(call)),
    ...(await sourceFindings(requirements, system.folder)),
  ].flatMap(asLintFinding);
}

const reasons: Partial<Record<RequirementFindingKind, string>> = {
  'unknown-requirement': 'what it shows counts for no requirement',
  'covered-twice': 'one of the two was probably meant to be another',
  orphaned: 'nobody would notice if the system did not do it',
  'no-fail-path': 'a system that accepts everything would pass',
  'expired-deferral': 'what waits for ever is forgotten',
  'lost-source': 'nobody can see whether the text is still the one that was agreed on',
};

function asLintFinding({ kind, trial, file, line, text, next }: RequirementFinding): LintFinding[] {
  if (file === undefined) return [];
  const why = reasons[kind] ?? 'requirements and trials do not agree';
  const about = trial === undefined ? {} : { trial };
  return [{ kind, level: 'finding', ...about, file, line: line ?? 1, text, why, next }];
}
