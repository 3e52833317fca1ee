/** What results say about requirements: failures, deferrals that are over, fail paths that nobody showed. Pure. */
import type { RequirementState, RequirementVerdict } from '../checks/verdict.ts';
import type { RequirementFinding } from './finding.ts';
import type { Requirement } from './requirement.ts';
import { listed, nameOf, noFailPath, orphaned, placeOf } from './static-findings.ts';

export interface Results {
  readonly requirements: readonly Requirement[];
  readonly verdicts: readonly RequirementVerdict[];
  /** What the results alone say, whatever is deferred. */
  readonly shown: ReadonlyMap<string, RequirementState>;
  /** Trials among these that were performed and are green. */
  green(trials: readonly string[]): readonly { readonly id: string; readonly refusals: readonly string[] }[];
  /** Those among these that were performed and are not green, each with its verdict. */
  bad(trials: readonly string[]): readonly string[];
}

export function executedFindings(results: Results): readonly RequirementFinding[] {
  const verdicts = new Map(results.verdicts.map((verdict) => [verdict.id, verdict]));
  return results.requirements.flatMap((requirement): RequirementFinding[] => {
    const verdict = verdicts.get(requirement.id);
    if (!verdict) return [];
    return [
      ...notGreen(requirement, verdict, results),
      ...(verdict.state === 'orphaned' ? [orphaned(requirement)] : []),
      ...staleDeferral(requirement, verdict, results),
      ...failPathNotShown(requirement, verdict, results),
    ];
  });
}

function notGreen(
  requirement: Requirement,
  { state, trials }: RequirementVerdict,
  { bad }: Results,
): RequirementFinding[] {
  if (state !== 'failed' && state !== 'unknown') return [];
  return [
    {
      kind: state,
      ...placeOf(requirement),
      text: `${nameOf(requirement)} ${state === 'failed' ? 'failed' : 'is unknown'}: ${listed(bad(trials))}`,
      next: 'see why: shakedown judge',
    },
  ];
}

function staleDeferral(
  requirement: Requirement,
  { state, trials }: RequirementVerdict,
  { shown, green }: Results,
): RequirementFinding[] {
  if (state !== 'deferred' || shown.get(requirement.id) !== 'covered') return [];
  const names = green(trials).map(({ id }) => id);
  return [
    {
      kind: 'stale-deferral',
      ...placeOf(requirement),
      text: `${nameOf(requirement)} is deferred (${requirement.deferred?.reason}), and ${listed(names)} ${names.length === 1 ? 'covers' : 'cover'} it and ${names.length === 1 ? 'is' : 'are'} green`,
      next: 'remove `deferred`',
    },
  ];
}

function failPathNotShown(
  requirement: Requirement,
  { state, trials }: RequirementVerdict,
  { green }: Results,
): RequirementFinding[] {
  if (!requirement.failPath || state !== 'covered') return [];
  const passed = green(trials);
  if (passed.some(({ refusals }) => refusals.length > 0)) return [];
  return [noFailPath(requirement, [...new Set(passed.map(({ id }) => id.replace(/\[.*\]$/, '')))])];
}

/** One fault is told once, whoever found it. */
export function toldOnce(findings: readonly RequirementFinding[]): readonly RequirementFinding[] {
  return [
    ...new Map(
      findings.map((finding) => [
        `${finding.kind} ${finding.requirement ?? ''} ${finding.requirement === undefined || alwaysByTrial.includes(finding.kind) ? `${finding.trial} ${finding.text}` : ''}`,
        finding,
      ]),
    ).values(),
  ];
}

const alwaysByTrial: readonly string[] = ['unknown-requirement', 'covered-twice'];
