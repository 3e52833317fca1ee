/** The participants of a system and who calls whom: journalled with every attempt, because blame depends on it. */
import { edgeEnd, findEdges, readAs, schemeOf } from '../../environment/wiring/edges.ts';
import type { Party, Topology, TopologyEdge } from '../../journal/topology.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import type { ResourceSpec, System } from '../../system/system.ts';
import { meetingPlaces } from './meeting-places.ts';

export function topologyOf(system: System): Topology {
  return {
    parties: [
      ...system.services.map(({ name }): Party => ({ name, kind: 'service' })),
      ...system.jobs.map(({ name }): Party => ({ name, kind: 'job' })),
      ...system.resources.map(partyOf),
    ],
    edges: [...tappedEdges(system), ...recordedEdges(system)],
    relays: system.relays,
    shared: meetingPlaces(system),
  };
}

function partyOf(resource: ResourceSpec): Party {
  const { name, kind } = resource;
  const isPrivate = kind === 'postgres' && resource.share !== 'database';
  return { name, kind: resourceKind(resource).party, ...(isPrivate ? { private: true } : {}) };
}

function tappedEdges(system: System): readonly TopologyEdge[] {
  return findEdges(system).map(({ from, to, listener }) => {
    const read = readAs(schemeOf(system, { from, to, listener }));
    const seen = read === 'http' ? 'calls' : read === undefined ? 'bytes' : 'statements';
    return { from, to: edgeEnd(system, to, listener), seen };
  });
}

/** Programs whose calls are recorded. */
function recordedEdges({ services }: System): readonly TopologyEdge[] {
  return services.flatMap(({ name, shims }) =>
    Object.keys(shims ?? {}).map((to): TopologyEdge => ({ from: name, to, seen: 'calls' })),
  );
}
