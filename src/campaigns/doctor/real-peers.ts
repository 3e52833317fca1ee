/** Which trials may reach a real provider: that costs money or needs a key, so nobody does it without being asked. */

import type { ResourceSpec, System } from '../../system/system.ts';
import { knownEdges } from '../../trials/known-edges.ts';
import type { Trial } from '../../trials/trial.ts';

/** The resources behind which somebody real answers. */
function realPeers({ resources }: System): readonly string[] {
  return resources.filter(isReal).map(({ name }) => name);
}

/** Variables with keys that the real ones need, and that are not set: nothing boots without them. */
export function missingKeys(
  { resources }: System,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const keys = resources.filter(isReal).flatMap(keysOf);
  return [...new Set(keys)].filter((key) => !env[key]);
}

/** The real ones that a trial may reach, by the edges that lead on from whom it speaks to; all of them where nobody knows. */
export function mayReach(system: System, { record, steps }: Trial): readonly string[] {
  const real = realPeers(system);
  if (real.length === 0) return [];
  const isOpen = record.kind === 'flow' || steps.some(({ kind }) => kind === 'command');
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
  if (resource.kind === 'model')
    return Object.values(resource.upstreams).flatMap((one) => (one ? [one.key] : []));
  const upstream = resource.kind === 'http' ? resource.upstream : undefined;
  return upstream?.key === undefined ? [] : [upstream.key];
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
