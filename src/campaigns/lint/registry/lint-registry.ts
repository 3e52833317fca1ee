/** The boundary registry and the catalogue of high-risk trials, if a config names them. */
import type { System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { applyRules } from '../rule.ts';
import { boundaryRules, riskRules } from './entry-rules.ts';
import { readBoundaries, readCatalogue } from './registry.ts';
import { findSources, sourceRules } from './source-rules.ts';

export async function lintRegistry(system: System, trials: readonly Trial[]) {
  const registry = await readBoundaries(system);
  const sources = registry ? [findSources(registry, system.folder)] : [];
  const risks = await readCatalogue(system);
  const { boundaries = [] } = registry ?? {};
  const entries = { registry, boundaries, risks, trials, folder: system.folder };
  const findings = [
    ...(await applyRules([...boundaryRules, ...riskRules], entries)),
    ...(await Promise.all(sources.map((one) => applyRules(sourceRules, one)))).flat(),
  ];
  return { registry, findings };
}
