/** Every edge of a system that a tap or a recorder sees. */
import { edgeEnd, findEdges } from '../environment/wiring/edges.ts';
import { hasEdge } from '../kernel/edge-name.ts';
import { nearest } from '../kernel/nearest.ts';
import { Problem } from '../kernel/problem.ts';
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

/** A rule for an edge that is not there would be in force for nobody. */
export function idleEdgeProblems(system: System, edges: readonly string[]): Problem[] {
  return (system.edges ?? [])
    .filter((edge) => !hasEdge(edges, edge))
    .map(({ from, to }) => unknownEdge(`${system.file}: edges`, `${from} -> ${to}`, edges));
}

function unknownEdge(where: string, edge: string, edges: readonly string[]): Problem {
  const guess = nearest(edge, edges);
  return new Problem({
    code: 'config.unknown-name',
    where,
    what: `there is no edge \`${edge}\``,
    allowed: edges.slice(0, 20).join(', '),
    next: guess ? `did you mean \`${guess}\`?` : 'name an edge of the system',
  });
}

/** A relay whose edges are not there, or do not meet in one service, would prove nothing. */
export function relayProblems(system: System, edges: readonly string[]): Problem[] {
  return system.relays.flatMap(({ name, incoming, outgoing }) => {
    const where = `${system.file}: relays.${name}`;
    const unknown = [incoming, outgoing].filter((edge) => !edges.includes(edge));
    const problems = unknown.map((edge) => unknownEdge(where, edge, edges));
    const [, into] = incoming.split(' -> ');
    const [out] = outgoing.split(' -> ');
    if (problems.length > 0 || into === out) return problems;
    return [
      new Problem({
        code: 'config.bad-value',
        where,
        what: `\`${incoming}\` leads to ${into}, and \`${outgoing}\` begins at ${out}`,
        allowed: 'two edges of one service: what it is asked, and what it asks in turn',
        next: 'name the edges that meet in the service',
      }),
    ];
  });
}
