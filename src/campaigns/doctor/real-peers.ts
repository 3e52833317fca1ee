/** Which trials may reach a real provider: that costs money or needs a key, so it happens only on request. */

import { resourceKind } from '../../kinds/resource-kinds.ts';
import { stepKind } from '../../kinds/step-kinds.ts';
import type { ResourceSpec, System } from '../../system/system.ts';
import { knownEdges } from '../../trials/known-edges.ts';
import type { Trial } from '../../trials/trial.ts';

/** The resources that forward to a real provider. */
function realPeers({ resources }: System): readonly string[] {
  return resources.filter(isReal).map(({ name }) => name);
}

/** Key variables that real providers need and that are not set: the system does not boot without them. */
export function missingKeys(
  { resources }: System,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const keys = resources.filter(isReal).flatMap(keysOf);
  return [...new Set(keys)].filter((key) => !env[key]);
}

/** The real providers that a trial may reach from the services it calls; all of them if that is not known. */
export function mayReach(system: System, { record, steps }: Trial): readonly string[] {
  const real = realPeers(system);
  if (real.length === 0) return [];
  const isOpen = record.kind === 'flow' || steps.some(({ kind }) => stepKind(kind).startsProgram);
  if (isOpen) return real;
  const reached = reachedFrom(
    record.steps.flatMap(({ to }) => (to === undefined ? [] : [to])),
    knownEdges(system),
  );
  return real.filter((name) => reached.has(name));
}

function isReal(resource: ResourceSpec): boolean {
  return 'mode' in resource && (resource.mode === 'live' || resource.mode === 'record');
}

function keysOf(resource: ResourceSpec): readonly string[] {
  return (resourceKind(resource).upstreams?.(resource) ?? []).flatMap(({ key }) => key ?? []);
}

function reachedFrom(first: readonly string[], edges: readonly string[]): ReadonlySet<string> {
  const ends = edges.map((edge) => edge.split(' -> ').map((end) => end.split('.')[0] ?? ''));
  const reached = new Set(first);
  const left = [...first];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    for (const [from, to] of ends) {
      if (from !== name || to === undefined || reached.has(to)) continue;
      reached.add(to);
      left.push(to);
    }
  }
  return reached;
}
