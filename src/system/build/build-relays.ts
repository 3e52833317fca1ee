/** What a config says of edges: relays, one for each pair of edges, and what counts as idle. */
import { edgeName } from '../../kernel/edge-name.ts';
import { parseSize } from '../../kernel/size.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { EdgeSpec, RelaySpec } from '../system.ts';

export function buildRelays(relays: SystemDocument['relays']): readonly RelaySpec[] {
  return Object.entries(relays ?? {}).flatMap(([name, { incoming, outgoing, same }]) =>
    (Array.isArray(outgoing) ? outgoing : [outgoing]).map((out) => ({
      name,
      incoming: edgeName(incoming),
      outgoing: edgeName(out),
      same,
    })),
  );
}

export function buildEdges(edges: SystemDocument['edges']): readonly EdgeSpec[] {
  return Object.entries(edges ?? {}).map(([written, { idle }]) => {
    const [from = '', to = ''] = edgeName(written).split(' -> ');
    if (idle === 'ignore') return { from, to, idle };
    return { from, to, idle: { belowPerSecond: parseSize(idle.below.replace(/\/s$/, '')) ?? 0 } };
  });
}
