/** The relays of a system, one for each pair of edges. */
import type { SystemDocument } from '../document/system-document.ts';
import type { RelaySpec } from '../system.ts';

export function buildRelays(relays: SystemDocument['relays']): readonly RelaySpec[] {
  return Object.entries(relays ?? {}).flatMap(([name, { incoming, outgoing, same }]) =>
    (Array.isArray(outgoing) ? outgoing : [outgoing]).map((out) => ({
      name,
      incoming: plainEdge(incoming),
      outgoing: plainEdge(out),
      same,
    })),
  );
}

/** `a->b` and `a -> b` are the same edge. */
function plainEdge(written: string): string {
  return written
    .split('->')
    .map((end) => end.trim())
    .join(' -> ');
}
