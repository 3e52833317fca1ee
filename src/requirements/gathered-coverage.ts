/** All that is told about coverage, in a terminal, in a browser and to programs. */
import type { Coverage } from './coverage.ts';
import type { RequirementFinding } from './finding.ts';
import type { Drift } from './history/requirement-drift.ts';

export interface GatheredCoverage {
  readonly coverage: Coverage;
  /** What leads to exit code 6. */
  readonly failing: readonly RequirementFinding[];
  /** What the gate does not ask for. */
  readonly warnings: readonly RequirementFinding[];
  readonly gate?: string;
  readonly against?: string;
  /** Where git could not tell whether requirements drifted. */
  readonly untold: Drift['untold'];
  readonly notes: readonly string[];
}
