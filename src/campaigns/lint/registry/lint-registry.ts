/** The boundary registry and the catalogue of high-risk trials, where a config names them. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import type { System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { baseId, placeOfPart } from '../place-of-part.ts';
import { type BoundaryRegistry, readBoundaries } from './boundary-registry.ts';
import { catalogueFindings } from './catalogue-findings.ts';
import { entryFindings } from './entry-findings.ts';
import { sourceFindings } from './source-findings.ts';

export interface RegistryLint {
  readonly registry: BoundaryRegistry | undefined;
  readonly findings: readonly LintFinding[];
}

export async function lintRegistry(system: System, trials: readonly Trial[]): Promise<RegistryLint> {
  const registry = await readBoundaries(system);
  const findings = [
    ...(registry ? entryFindings(registry, trials, system.folder) : unregistered(trials, system.folder)),
    ...(registry ? sourceFindings(registry, system.folder) : []),
    ...(await catalogueFindings(system, registry, trials)),
  ];
  return { registry, findings };
}

/** Without a registry, what trials say of boundaries cannot be held against anything. */
function unregistered(trials: readonly Trial[], folder: string): readonly LintFinding[] {
  return trials
    .filter(({ record }) => record.attacks !== undefined)
    .map((trial) => ({
      kind: 'unknown-boundary',
      level: 'finding',
      trial: baseId(trial),
      ...placeOfPart(trial, 'attacks', folder),
      text: 'it attacks a boundary, and the config names no registry of boundaries',
      why: 'it counts for nothing',
      next: 'add `boundaries: shakedown/boundaries.yaml` to the config, and register the boundary there',
    }));
}
