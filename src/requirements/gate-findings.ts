/** What a gate demands of requirements: which findings fail it, and which are only told. Pure. */
import type { RequirementState, RequirementVerdict } from '../checks/verdict.ts';
import type { RequirementsGate } from '../system/system.ts';
import type { RequirementFinding, RequirementFindingKind } from './finding.ts';
import { normalPriority } from './priority.ts';
import type { Requirement } from './requirement.ts';
import { nameOf, placeOf } from './static-findings.ts';

export interface NamedGate extends RequirementsGate {
  readonly name: string;
  /** It wants all requirements covered, those without a priority included. */
  readonly everything?: true;
}

/** Requirements that the gate wants covered, and that are not; those with a finding of their own are told by that. */
export function uncoveredFindings(
  requirements: readonly Requirement[],
  verdicts: readonly RequirementVerdict[],
  gate: NamedGate,
): readonly RequirementFinding[] {
  const byId = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  const refused: readonly (RequirementState | undefined)[] = [
    'skipped',
    'not-executed',
    ...(gate.deferred === 'forbid' ? (['deferred', 'pending'] as const) : []),
  ];
  return requirements
    .filter(({ priority }) => isMeant(priority, gate))
    .flatMap((requirement): RequirementFinding[] => {
      const { state, trials = [] } = byId.get(requirement.id) ?? {};
      // Who waits without a trial waits for ever: what it depends on lands, and nothing shows it all the same.
      const isIdle = state === 'pending' && trials.length === 0;
      if (!refused.includes(state) && !isIdle) return [];
      return [
        {
          kind: 'not-covered',
          ...placeOf(requirement),
          text: `the gate ${gate.name} wants every ${wantedBy(gate, requirement)} covered, and ${nameOf(requirement)} is ${wordOf(state)}${isIdle ? ', without a trial' : ''}`,
          next: isIdle ? 'write the trial that will cover it, or defer it with a reason' : advice(state),
        },
      ];
    });
}

function wantedBy({ everything }: NamedGate, { priority }: Requirement): string {
  return everything ? 'requirement' : `${priority} requirement`;
}

/** A gate that asks for what nobody has is satisfied by anything, which its reader should know. */
export function idleGate(
  requirements: readonly Requirement[],
  gate: NamedGate | undefined,
): string | undefined {
  const { covered = [] } = gate ?? {};
  if (!gate || covered.length === 0 || requirements.some(({ priority }) => isMeant(priority, gate)))
    return undefined;
  return `the gate ${gate.name} wants every ${covered.join(' and ')} requirement covered, and there is none: it asks for nothing`;
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

function isMeant(priority: string | undefined, { covered, everything }: NamedGate): boolean {
  if (everything) return true;
  return priority !== undefined && (covered ?? []).some((one) => normalPriority(one) === priority);
}
