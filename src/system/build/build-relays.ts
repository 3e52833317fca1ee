/** The relays of a system, one for each pair of edges. */
import { edgeName } from '../../kernel/edge-name.ts';
import type { SystemDocument } from '../document/system-document.ts';
import type { RelaySpec } from '../system.ts';

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
