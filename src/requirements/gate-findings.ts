/** What a gate demands of requirements: which findings fail it, and which are only told. Pure. */
import type { RequirementState, RequirementVerdict } from '../checks/verdict.ts';
import type { RequirementsGate } from '../system/system.ts';
import type { RequirementFinding, RequirementFindingKind } from './finding.ts';
import { normalPriority } from './priority.ts';
import type { Requirement } from './requirement.ts';
import { nameOf, placeOf } from './static-findings.ts';

export interface NamedGate extends RequirementsGate {
  readonly name: string;
}

/** Requirements that the gate wants covered, and that are not; those with a finding of their own are told by that. */
export function uncoveredFindings(
  requirements: readonly Requirement[],
  verdicts: readonly RequirementVerdict[],
  gate: NamedGate,
): readonly RequirementFinding[] {
  const states = new Map(verdicts.map(({ id, state }) => [id, state]));
  const refused: readonly (RequirementState | undefined)[] = [
    'skipped',
    'not-executed',
    ...(gate.deferred === 'forbid' ? (['deferred', 'pending'] as const) : []),
  ];
  return requirements
    .filter(
      (requirement) => isMeant(requirement.priority, gate) && refused.includes(states.get(requirement.id)),
    )
    .map((requirement) => ({
      kind: 'not-covered',
      ...placeOf(requirement),
      text: `the gate ${gate.name} wants every ${requirement.priority} requirement covered, and ${nameOf(requirement)} is ${wordOf(states.get(requirement.id))}`,
      next: advice(states.get(requirement.id)),
    }));
}

/** `not executed`: as people read it. */
export function wordOf(state: RequirementState | undefined): string {
  return (state ?? 'unknown').replace('-', ' ');
}

function advice(state: RequirementState | undefined): string {
  if (state === 'skipped') return 'give the machine what the trial needs, or perform it elsewhere';
  return state === 'not-executed'
    ? 'perform the trials that cover it'
    : 'cover it, or leave it out of the gate';
}

/** Whatever is asked for on the command line, or makes the rest unreadable, fails every gate. */
const always: readonly RequirementFindingKind[] = [
  ...(['unknown-requirement', 'covered-twice', 'nothing-executed', 'unreadable-revision'] as const),
  ...(['lost-requirement', 'lost-trial', 'lost-check', 'lost-coverage'] as const),
];

export interface Weighed {
  readonly failing: readonly RequirementFinding[];
  readonly warnings: readonly RequirementFinding[];
}

/** Without a gate every finding fails. With one, those about requirements that it does not ask for are only told. */
export function weighFindings(findings: readonly RequirementFinding[], gate: NamedGate | undefined): Weighed {
  const fails = ({ kind, priority }: RequirementFinding): boolean => {
    if (!gate || always.includes(kind)) return true;
    if (kind === 'history-unknown') return gate.drift === 'fail';
    if (kind === 'drifted' && gate.drift === 'warn') return false;
    return gate.covered === undefined || isMeant(priority, gate);
  };
  return { failing: findings.filter(fails), warnings: findings.filter((finding) => !fails(finding)) };
}

function isMeant(priority: string | undefined, { covered }: NamedGate): boolean {
  return priority !== undefined && (covered ?? []).some((one) => normalPriority(one) === priority);
}
