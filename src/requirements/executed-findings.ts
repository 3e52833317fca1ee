/** Findings from results: failures, expired deferrals, fail paths that were not shown. Pure. */
import type { TrialVerdict } from '../checks/verdict.ts';
import { findingOn, listed, nameOf, type RequirementFinding } from './finding.ts';
import type { Requirement } from './requirement.ts';
import type { States } from './requirement-states.ts';
import { noFailPath, orphaned } from './written-findings.ts';

interface Results extends States {
  readonly requirements: readonly Requirement[];
  readonly results: ReadonlyMap<string, TrialVerdict>;
}

export function executedFindings(all: Results): readonly RequirementFinding[] {
  const { requirements, verdicts, shown, results } = all;
  return requirements.flatMap((requirement, index): RequirementFinding[] => {
    const { state, trials = [] } = verdicts[index] ?? {};
    const performed = trials.flatMap((id) => results.get(id) ?? []).filter(({ attempts }) => attempts > 0);
    const green = performed.filter(({ verdict }) => verdict === 'passed');
    if (state === 'failed' || state === 'unknown') return [notGreen(requirement, state, performed)];
    if (state === 'orphaned') return [orphaned(requirement)];
    if (state === 'deferred')
      return shown.get(requirement.id) === 'covered' ? [staleDeferral(requirement, green)] : [];
    const isOneSided = requirement.failPath && green.every(({ refusals = [] }) => refusals.length === 0);
    return state === 'covered' && isOneSided ? [noFailPath(requirement, green)] : [];
  });
}

function notGreen(
  requirement: Requirement,
  state: 'failed' | 'unknown',
  performed: readonly TrialVerdict[],
): RequirementFinding {
  const bad = performed
    .filter(({ verdict }) => verdict !== 'passed' && verdict !== 'skipped')
    .map(({ id, verdict }) => `${id} ${verdict === 'unknown' ? 'is unknown' : verdict}`);
  const text = `${nameOf(requirement)} ${state === 'failed' ? 'failed' : 'is unknown'}: ${listed(bad)}`;
  return findingOn(requirement, state, text, 'see why: shakedown judge');
}

function staleDeferral(requirement: Requirement, green: readonly TrialVerdict[]): RequirementFinding {
  const names = listed(green.map(({ id }) => id));
  const cover = green.length === 1 ? 'covers it and is green' : 'cover it and are green';
  const text = `${nameOf(requirement)} is deferred (${requirement.deferred?.reason}), and ${names} ${cover}`;
  return findingOn(requirement, 'stale-deferral', text, 'remove `deferred`');
}

const alwaysByTrial: readonly string[] = ['unknown-requirement', 'covered-twice'];

/** One fault is reported once, even if found twice. */
export function withoutRepeats(findings: readonly RequirementFinding[]): readonly RequirementFinding[] {
  const keyed = findings.map((finding) => {
    const { kind, requirement, trial, text } = finding;
    const isByTrial = requirement === undefined || alwaysByTrial.includes(kind);
    return [`${kind} ${requirement ?? ''} ${isByTrial ? `${trial} ${text}` : ''}`, finding] as const;
  });
  return [...new Map(keyed).values()];
}
