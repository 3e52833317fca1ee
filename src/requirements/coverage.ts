/** The grid: every requirement on every backend, from what was executed, with the evidence for each. Pure. */
import type { RequirementState, RequirementVerdict, TrialVerdict } from '../checks/verdict.ts';
import { defined } from '../kernel/defined.ts';
import type { RequirementFinding } from './finding.ts';
import type { Drift } from './history/requirement-drift.ts';
import { comparePriorities } from './priority.ts';
import type { Catalogue, Requirement } from './requirement.ts';
import { requirementStates, type States, weakestState } from './requirement-states.ts';

/** A run, with its results as they count today. */
export interface ExecutedRun {
  readonly run: string;
  /** The path of its folder for the reader. */
  readonly folder: string;
  readonly startedAt: string;
  readonly revision: string | null;
  readonly results: readonly ExecutedResult[];
}

export interface ExecutedResult {
  readonly backend: string;
  readonly trial: TrialVerdict;
  /** Why it counts for less: the trial has changed since. */
  readonly because?: string;
}

export interface Coverage {
  readonly system: string;
  readonly files: readonly string[];
  readonly runs: readonly Omit<ExecutedRun, 'results'>[];
  readonly backends: readonly string[];
  /** The highest priority first, otherwise as declared. */
  readonly requirements: readonly CoveredRequirement[];
}

export interface CoveredRequirement
  extends Pick<
    Requirement,
    'id' | 'title' | 'text' | 'failPath' | 'deferred' | 'method' | 'antiPattern' | 'file' | 'line'
  > {
  readonly priority: string | null;
  /** On all backends together. */
  readonly state: RequirementState;
  /** What it waits for, while it is pending. */
  readonly waitsFor: readonly string[];
  /** Trials that cover it, performed or not. */
  readonly trials: readonly string[];
  readonly cells: readonly CoverageCell[];
}

export interface CoverageCell {
  readonly backend: string;
  readonly state: RequirementState;
  readonly evidence: readonly Evidence[];
}

export interface Evidence {
  readonly trial: string;
  readonly verdict: TrialVerdict['verdict'];
  readonly run: string;
  /** The path of the trial in the run, for the reader; null when nothing was performed. */
  readonly folder: string | null;
  readonly because?: string;
}

interface CoverageParts {
  readonly system: string;
  readonly catalogue: Pick<Catalogue, 'files' | 'requirements'>;
  /** Every trial of the suite. */
  readonly declared: ReadonlyArray<{ readonly id: string; readonly covers: readonly string[] }>;
  readonly runs: readonly ExecutedRun[];
}

/** The grid, and what is needed to derive findings. */
export interface Covered extends States {
  readonly coverage: Coverage;
  /** The worst result of each trial in any run. */
  readonly results: ReadonlyMap<string, TrialVerdict>;
}

export function coverageOf(parts: CoverageParts): Covered {
  const { requirements } = parts.catalogue;
  const all = parts.runs.flatMap(({ results, ...run }) => results.map((result) => ({ ...result, run })));
  const backends = [...new Set(all.map(({ backend }) => backend))].sort();
  const columns = backends.map((backend) => {
    const own = all.filter((one) => one.backend === backend);
    const worst = worstOf(own);
    const executed = { requirements, declared: parts.declared, resultOf: (id: string) => worst.get(id) };
    return { backend, own, ...requirementStates(executed) };
  });
  const fallback = requirementStates({ requirements, declared: parts.declared, resultOf: () => undefined });
  const over = columns.length === 0 ? [fallback] : columns;
  const verdicts = fallback.verdicts.map((verdict, index) => ({
    ...verdict,
    state: weakestState(over.map((column) => column.verdicts[index]?.state ?? 'not-executed')),
  }));
  const shown = new Map(
    requirements.map(({ id }) => [id, weakestState(over.flatMap((column) => column.shown.get(id) ?? []))]),
  );
  const covered = requirements.map((requirement, index): CoveredRequirement => {
    const verdict = verdicts[index] as RequirementVerdict;
    return {
      ...describe(requirement, verdict, shown),
      cells: columns.map((column) => ({
        backend: column.backend,
        state: column.verdicts[index]?.state ?? 'not-executed',
        evidence: column.own
          .filter(({ trial }) => verdict.trials.includes(trial.id))
          .map(({ trial, run, because }) => ({
            trial: trial.id,
            verdict: trial.verdict,
            run: run.run,
            folder: trial.folder === null ? null : `${run.folder}/${trial.folder}`,
            ...defined({ because }),
          })),
      })),
    };
  });
  return {
    coverage: {
      system: parts.system,
      files: parts.catalogue.files,
      runs: parts.runs.map(({ results: _results, ...run }) => run),
      backends,
      requirements: covered.toSorted((one, other) =>
        comparePriorities(one.priority ?? undefined, other.priority ?? undefined),
      ),
    },
    verdicts,
    shown,
    results: worstOf(all),
  };
}

function describe(
  { dependsOn, priority, source: _source, failPathFrom: _word, ...requirement }: Requirement,
  { state, trials }: RequirementVerdict,
  shown: ReadonlyMap<string, RequirementState>,
): Omit<CoveredRequirement, 'cells'> {
  const waitsFor = state === 'pending' ? dependsOn.filter((other) => shown.get(other) !== 'covered') : [];
  return { ...requirement, priority: priority ?? null, state, waitsFor, trials };
}

/** The worst result of a trial that was performed several times. */
function worstOf(results: readonly ExecutedResult[]): ReadonlyMap<string, TrialVerdict> {
  const worst = new Map<string, TrialVerdict>();
  for (const { trial } of results) {
    const known = worst.get(trial.id);
    if (!known || weight(trial) < weight(known)) worst.set(trial.id, trial);
  }
  return worst;
}

const order: readonly TrialVerdict['verdict'][] = [
  ...(['failed', 'unstable', 'expected-failure', 'unknown', 'passed', 'skipped'] as const),
];

/** A trial that was never performed counts less than any that was. */
function weight({ verdict, attempts }: TrialVerdict): number {
  return order.indexOf(verdict) + (attempts === 0 ? order.length : 0);
}

export interface GatheredCoverage {
  readonly coverage: Coverage;
  /** What leads to exit code 6. */
  readonly failing: readonly RequirementFinding[];
  /** Findings that the gate does not require. */
  readonly warnings: readonly RequirementFinding[];
  readonly gate?: string;
  readonly against?: string;
  /** Requirements whose drift git could not determine. */
  readonly undetermined: Drift['undetermined'];
  readonly notes: readonly string[];
}
