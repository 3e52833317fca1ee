/** Every edge of a system that a tap or a recorder sees. */
import { edgeEnd, findEdges } from '../environment/wiring/edges.ts';
import type { System } from '../system/system.ts';

/** `switchboard -> health` */
export function knownEdges(system: System): readonly string[] {
  const tapped = findEdges(system).map(
    ({ from, to, listener }) => `${from} -> ${edgeEnd(system, to, listener)}`,
  );
  const recorded = system.services.flatMap(({ name, shims }) =>
    Object.keys(shims ?? {}).map((to) => `${name} -> ${to}`),
  );
  return [...tapped, ...recorded];
}
