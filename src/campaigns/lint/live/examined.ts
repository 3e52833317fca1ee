/** The result of one examination of the running system: findings, how much was examined, and what is undecided. */
import type { LintFinding, NotKnown } from '../../../checks/lint-finding.ts';

export interface Examined {
  readonly findings: readonly LintFinding[];
  /** How many different things were compared with the system. */
  readonly checked: number;
  readonly notKnown: readonly NotKnown[];
}

/** Findings on one thing, or why nothing can be decided. */
export type Outcome = readonly LintFinding[] | string;

const mostNames = 20;

export function openExamination() {
  const findings: LintFinding[] = [];
  const known = new Set<string>();
  const unknown = new Map<string, string>();
  return {
    /** Records that the thing of this name was examined, or why it could not be. */
    note: (name: string, outcome: Outcome): void => {
      if (typeof outcome === 'string') unknown.set(name, outcome);
      else {
        known.add(name);
        findings.push(...outcome);
      }
    },
    /** `what` is the plural of these things. */
    examined: (what: string): Examined => {
      // Many trials refer to the same thing; one examination counts for all of them.
      const open = [...unknown].filter(([name]) => !known.has(name));
      const notKnown = [...Map.groupBy(open, ([, because]) => because)].map(([because, group]) => {
        const names = group.map(([name]) => name).sort();
        return { what, count: names.length, because, names: names.slice(0, mostNames) };
      });
      return { findings, checked: known.size, notKnown };
    },
  };
}

const mostListed = 12;

/** `it has a, b, …` */
export function listed(words: string, names: readonly string[]): string {
  const more = names.length > mostListed ? ', …' : '';
  return `${words} ${[...names].sort().slice(0, mostListed).join(', ')}${more}`;
}
