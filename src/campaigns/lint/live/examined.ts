/** What one look at the running system brought: findings, how much was really looked at, and what could not be known. */
import type { LintFinding, NotKnown } from '../../../checks/lint-finding.ts';
import { baseId } from '../place-of-part.ts';
import type { Claim } from './claims.ts';

export interface Examined {
  readonly findings: readonly LintFinding[];
  /** How many different things were held against the system. */
  readonly checked: number;
  readonly notKnown: readonly NotKnown[];
}

export interface Examination {
  /** The thing of this name was looked at, or it is said why it could not be. */
  note(name: string, outcome: readonly LintFinding[] | string): void;
  /** `what` is the plural of these things. */
  examined(what: string): Examined;
}

const mostNames = 20;

export function openExamination(): Examination {
  const findings: LintFinding[] = [];
  const known = new Set<string>();
  const unknown = new Map<string, string>();
  return {
    note: (name, outcome) => {
      if (typeof outcome === 'string') unknown.set(name, outcome);
      else {
        known.add(name);
        findings.push(...outcome);
      }
    },
    examined: (what) => {
      // Many trials speak of one thing; whoever could see it has seen it for all of them.
      const open = [...unknown].filter(([name]) => !known.has(name));
      const reasons = [...new Set(open.map(([, because]) => because))];
      return {
        findings,
        checked: known.size,
        notKnown: reasons.map((because) => {
          const names = open.filter(([, one]) => one === because).map(([name]) => name);
          return { what, count: names.length, because, names: names.sort().slice(0, mostNames) };
        }),
      };
    },
  };
}

/** A finding at the place of a claim. */
export function findingAt(
  { trial, check, place }: Claim,
  told: Pick<LintFinding, 'kind' | 'text' | 'why' | 'next'>,
): LintFinding {
  return {
    level: 'finding',
    ...(trial ? { trial: baseId(trial) } : {}),
    ...(check === undefined ? {} : { check }),
    ...place,
    ...told,
  };
}
