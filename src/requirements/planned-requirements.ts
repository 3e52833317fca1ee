/** The requirements of a run, stored in its plan before it begins, and their states by its results. */
import type { RunReason, TrialVerdict } from '../checks/verdict.ts';
import { exitCodes } from '../kernel/exit-codes.ts';
import { executedFindings, withoutRepeats } from './executed-findings.ts';
import type { RequirementFinding } from './finding.ts';
import { type NamedGate, uncoveredFindings, weighFindings } from './gate-findings.ts';
import type { Requirement } from './requirement.ts';
import { requirementStates } from './requirement-states.ts';

export interface PlannedRequirements {
  readonly requirements: readonly Requirement[];
  /** Every trial of the suite that covers something, selected or not. */
  readonly declared: ReadonlyArray<{ readonly id: string; readonly covers: readonly string[] }>;
  /** What was wrong before anything was performed. */
  readonly findings: readonly RequirementFinding[];
  /** Absent where the run has no gate, or one without requirements. */
  readonly gate?: NamedGate;
  /** One of several parts: only all of them together can show what the gate requires. */
  readonly isPart?: true;
}

export function judgeRequirements(planned: PlannedRequirements | undefined, trials: readonly TrialVerdict[]) {
  if (!planned) return { verdicts: [], reasons: [] };
  const results = new Map(trials.map((trial) => [trial.id, trial]));
  const states = requirementStates({ ...planned, resultOf: (id) => results.get(id) });
  const { verdicts } = states;
  const { requirements, findings, gate, isPart } = planned;
  if (!gate) return { verdicts, reasons: [] };
  const executed = isPart
    ? []
    : [
        ...executedFindings({ requirements, results, ...states }),
        ...uncoveredFindings(requirements, verdicts, gate),
      ];
  const { failing } = weighFindings(withoutRepeats([...findings, ...executed]), gate);
  return { verdicts, reasons: failing.map(reasonOf) };
}

function reasonOf({ text, file, line, next }: RequirementFinding): RunReason {
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
  return { exitCode: exitCodes.dishonest, text: `${place}${text}; ${next}` };
}
