/** What we say ourselves about a trial: names, verdicts and numbers. Values that were observed are evidence. */
import { judgedBadly, type TrialVerdict } from '../../checks/verdict.ts';
import { defined } from '../../kernel/defined.ts';

export type TrialFacts = ReturnType<typeof factsOf>;

const mostEvents = 30;

export function factsOf({ id, verdict, file, line, cause, checks, blame, faults, repro }: TrialVerdict) {
  return {
    ...{ trial: id, verdict, file, line },
    cause: cause?.kind ?? null,
    checks: checks
      .filter((check) => judgedBadly(check.verdict))
      .map((check) => ({
        ...{ check: check.id, verdict: check.verdict, line: check.line },
        evidence: check.evidence.slice(0, mostEvents),
      })),
    blame: blame && {
      ...defined({ party: blame.party, suspect: blame.suspect, edge: blame.edge, rule: blame.rule }),
      evidence: blame.evidence.slice(0, mostEvents),
    },
    faults: faults.map(({ kind, check }) => defined({ kind, check })),
    repro,
  };
}

export function sayFacts({ trial, verdict, file, line, cause, checks, blame, faults, repro }: TrialFacts) {
  return [
    `${trial}: ${verdict}${cause === null ? '' : ` (${cause})`}, ${file}:${line}`,
    ...checks.map((one) => `  check ${one.check}: ${one.verdict}, line ${one.line}${seen(one.evidence)}`),
    ...(blame ? [`  ${accused(blame)}${seen(blame.evidence)}`] : []),
    ...faults.map(
      ({ kind, check }) => `  fault of the trial itself: ${[kind, check].filter(Boolean).join(', ')}`,
    ),
    `  again: ${repro}`,
  ];
}

function accused({ party, suspect }: NonNullable<TrialFacts['blame']>): string {
  if (party != null) return `to blame: ${party}`;
  return suspect === undefined ? 'to blame: nobody can be named' : `suspected, not proven: ${suspect}`;
}

function seen(evidence: readonly number[]): string {
  return evidence.length === 0 ? '' : `, events ${evidence.map((seq) => `#${seq}`).join(' ')}`;
}
