/** What a gate requires: which findings fail it, and which are only reported. Pure. */
import type { RequirementState, RequirementVerdict } from '../checks/verdict.ts';
import type { RequirementsGate } from '../system/system.ts';
import { findingOn, nameOf, type RequirementFinding, type RequirementFindingKind } from './finding.ts';
import { normalPriority } from './priority.ts';
import type { Requirement } from './requirement.ts';

export interface NamedGate extends RequirementsGate {
  readonly name: string;
  /** It requires all requirements to be covered, those without a priority included. */
  readonly everything?: true;
}

/** Requirements that must be covered for the gate, and are not; those with their own finding are reported by that. */
export function uncoveredFindings(
  requirements: readonly Requirement[],
  verdicts: readonly RequirementVerdict[],
  gate: NamedGate,
): readonly RequirementFinding[] {
  const byId = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  const refused: readonly (RequirementState | undefined)[] = [
    ...(['skipped', 'not-executed'] as const),
    ...(gate.deferred === 'forbid' ? (['deferred', 'pending'] as const) : []),
  ];
  return requirements
    .filter(({ priority }) => isMeant(priority, gate))
    .flatMap((requirement): RequirementFinding[] => {
      const { state, trials = [] } = byId.get(requirement.id) ?? {};
      // Pending without a trial would be pending for ever: when its dependencies are done, still nothing shows it.
      const isIdle = state === 'pending' && trials.length === 0;
      if (!refused.includes(state) && !isIdle) return [];
      const wanted = gate.everything ? 'requirement' : `${requirement.priority} requirement`;
      const text = `the gate ${gate.name} requires every ${wanted} to be covered, but ${nameOf(requirement)} is ${wordOf(state)}${isIdle ? ', without a trial' : ''}`;
      const next = isIdle ? 'write the trial that will cover it, or defer it with a reason' : advice(state);
      return [findingOn(requirement, 'not-covered', text, next)];
    });
}

/** A gate that matches no requirement always passes, which its reader should know. */
export function idleGate(
  requirements: readonly Requirement[],
  gate: NamedGate | undefined,
): string | undefined {
  const { covered = [] } = gate ?? {};
  if (!gate || covered.length === 0 || requirements.some(({ priority }) => isMeant(priority, gate)))
    return undefined;
  return `the gate ${gate.name} requires every ${covered.join(' and ')} requirement to be covered, but there is none: it checks nothing`;
}

/** The printed form: `not executed`. */
function wordOf(state: RequirementState | undefined): string {
  return (state ?? 'unknown').replace('-', ' ');
}

function advice(state: RequirementState | undefined): string {
  if (state === 'skipped') return 'provide what the trial needs on this machine, or perform it elsewhere';
  return state === 'not-executed'
    ? 'perform the trials that cover it'
    : 'cover it, or leave it out of the gate';
}

/** Findings that were requested on the command line, or make the rest unreadable, fail every gate. */
const always: readonly RequirementFindingKind[] = [
  ...(['unknown-requirement', 'covered-twice', 'nothing-executed', 'unreadable-revision'] as const),
  ...(['lost-requirement', 'lost-trial', 'lost-check', 'lost-coverage'] as const),
];

/** Without a gate every finding fails. With one, those about requirements that it does not name are only reported. */
export function weighFindings(
  findings: readonly RequirementFinding[],
  gate: NamedGate | undefined,
): Record<'failing' | 'warnings', readonly RequirementFinding[]> {
  const fails = ({ kind, priority }: RequirementFinding): boolean => {
    if (!gate || always.includes(kind)) return true;
    if (kind === 'history-unknown') return gate.drift === 'fail';
    if (kind === 'drifted' && gate.drift === 'warn') return false;
    return gate.covered === undefined || isMeant(priority, gate);
  };
  return { failing: findings.filter(fails), warnings: findings.filter((finding) => !fails(finding)) };
}

function isMeant(priority: string | undefined, { covered, everything }: NamedGate): boolean {
  if (everything) return true;
  return priority !== undefined && (covered ?? []).some((one) => normalPriority(one) === priority);
}
