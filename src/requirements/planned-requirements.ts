/** What a run knows of requirements before it begins, stored in its plan; and what its results make of them. */
import type { RequirementVerdict, RunReason, TrialVerdict } from '../checks/verdict.ts';
import { exitCodes } from '../kernel/exit-codes.ts';
import { executedFindings, toldOnce } from './executed-findings.ts';
import type { RequirementFinding } from './finding.ts';
import { type NamedGate, uncoveredFindings, weighFindings } from './gate-findings.ts';
import type { Requirement } from './requirement.ts';
import { type Executed, requirementStates, shownStates } from './requirement-states.ts';

export interface PlannedRequirements {
  readonly requirements: readonly Requirement[];
  /** Every trial of the suite that covers something, selected or not. */
  readonly declared: ReadonlyArray<{ readonly id: string; readonly covers: readonly string[] }>;
  /** What was wrong before anything was performed. */
  readonly findings: readonly RequirementFinding[];
  /** Absent where the run has no gate, or one that asks nothing of requirements. */
  readonly gate?: NamedGate;
  /** One of several parts: only all of them together can show what the gate asks for. */
  readonly isPart?: true;
}

export interface JudgedRequirements {
  readonly verdicts: readonly RequirementVerdict[];
  readonly reasons: readonly RunReason[];
}

export function judgeRequirements(
  planned: PlannedRequirements | undefined,
  trials: readonly TrialVerdict[],
): JudgedRequirements {
  if (!planned) return { verdicts: [], reasons: [] };
  const results = new Map(trials.map((trial) => [trial.id, trial]));
  const executed: Executed = { ...planned, resultOf: (id) => results.get(id) };
  const verdicts = requirementStates(executed);
  const { gate } = planned;
  if (!gate) return { verdicts, reasons: [] };
  const all = toldOnce([
    ...planned.findings,
    ...(planned.isPart
      ? []
      : executedFindings({ ...resultsOf(results), ...planned, verdicts, shown: shownStates(executed) })),
    ...(planned.isPart ? [] : uncoveredFindings(planned.requirements, verdicts, gate)),
  ]);
  const { failing } = weighFindings(all, gate);
  return { verdicts, reasons: failing.map((finding) => reasonOf(finding)) };
}

/** The trials behind a requirement, told apart by what came of them. */
export function resultsOf(results: ReadonlyMap<string, TrialVerdict>): {
  green(trials: readonly string[]): readonly { readonly id: string; readonly refusals: readonly string[] }[];
  bad(trials: readonly string[]): readonly string[];
} {
  const performed = (ids: readonly string[]): readonly TrialVerdict[] =>
    ids.flatMap((id) => results.get(id) ?? []).filter(({ attempts }) => attempts > 0);
  return {
    green: (ids) =>
      performed(ids)
        .filter(({ verdict }) => verdict === 'passed')
        .map(({ id, refusals }) => ({ id, refusals: refusals ?? [] })),
    bad: (ids) =>
      performed(ids)
        .filter(({ verdict }) => verdict !== 'passed' && verdict !== 'skipped')
        .map(({ id, verdict }) => `${id} ${verdict === 'unknown' ? 'is unknown' : verdict}`),
  };
}

function reasonOf({ text, file, line, next }: RequirementFinding): RunReason {
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
  return { exitCode: exitCodes.dishonest, text: `${place}${text}; ${next}` };
}
