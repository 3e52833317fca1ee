/** Every edge of a system that a tap or a recorder observes. */
import { edgeEnd, findEdges, isRead, schemeOf } from '../environment/wiring/edges.ts';
import { type EdgeEnds, hasEdge, looksAtEdge, partyIn } from '../kernel/edge-name.ts';
import { didYouMean } from '../kernel/nearest.ts';
import { Problem } from '../kernel/problem.ts';
import type { System } from '../system/system.ts';

/** `switchboard -> health` */
export function knownEdges(system: System): readonly string[] {
  return [...tappedEdges(system).map(({ edge }) => edge), ...recordedEdges(system)];
}

/** Edges on which single exchanges can be disturbed. */
export function httpEdges(system: System): readonly string[] {
  return tappedEdges(system).flatMap(({ edge, speaks }) => (speaks === 'http' ? [edge] : []));
}

/** Edges to a tool server over stdio: its answers can be sent in another shape. */
export function stdioEdges({ services }: System): readonly string[] {
  return services.flatMap(({ name, stdioTools = [] }) => stdioTools.map((to) => `${name} -> ${to}`));
}

/** Edges whose calls a check can observe. */
export function readEdges(system: System): readonly string[] {
  const announced = tappedEdges(system).filter(({ speaks }) => isRead(speaks));
  return [...announced.map(({ edge }) => edge), ...recordedEdges(system)];
}

/** Whether calls on an edge that a check names can be observed: of an edge, or of the listeners of a service that has no such edge. */
export function isReadEdge(edge: EdgeEnds, system: System): boolean {
  const read = readEdges(system);
  return hasEdge(read, edge) || (!hasEdge(knownEdges(system), edge) && looksAtEdge(read, edge));
}

/** Why calls on an existing edge cannot be observed. */
export function whyUnread(edge: string, system: System): string {
  const speaks = tappedEdges(system).find((tapped) => tapped.edge === edge)?.speaks;
  const spoken = speaks === undefined ? 'it does not speak HTTP' : `it speaks ${speaks}`;
  return `calls on \`${edge}\` cannot be observed: ${spoken}, and only HTTP, PostgreSQL, Redis and recorded programs are read`;
}

function tappedEdges(system: System): readonly { readonly edge: string; readonly speaks: string }[] {
  return findEdges(system).map((edge) => ({
    edge: `${edge.from} -> ${edgeEnd(system, edge.to, edge.listener)}`,
    speaks: schemeOf(system, edge),
  }));
}

function recordedEdges({ services }: System): readonly string[] {
  return services.flatMap(({ name, shims }) => Object.keys(shims ?? {}).map((to) => `${name} -> ${to}`));
}

/** A rule for an unknown edge would never apply. */
export function idleEdgeProblems(system: System, edges: readonly string[]): Problem[] {
  return (system.edges ?? [])
    .filter((edge) => !hasEdge(edges, edge))
    .map(({ from, to }) => unknownEdge(`${system.file}: edges`, `${from} -> ${to}`, edges));
}

function unknownEdge(where: string, edge: string, edges: readonly string[]): Problem {
  return new Problem({
    code: 'config.unknown-name',
    where,
    what: `there is no edge \`${edge}\``,
    allowed: listed(edges),
    next: didYouMean(edge, edges, 'name an edge of the system'),
  });
}

function listed(edges: readonly string[]): string {
  if (edges.length === 0) return 'none: nothing in this system has the address of a part of it that listens';
  return edges.slice(0, 20).join(', ');
}

function unreadEdge(where: string, edge: string, read: readonly string[], system: System): Problem {
  return new Problem({
    code: 'config.bad-value',
    where,
    what: whyUnread(edge, system),
    allowed: listed(read),
    next: 'name an edge that is read; if it speaks HTTP or is a store, say `scheme: http`, `postgres` or `redis` where it listens',
  });
}

/** A relay whose edges do not exist, or do not meet in one service, would prove nothing. */
export function relayProblems(system: System, edges: readonly string[]): Problem[] {
  return system.relays.flatMap(({ name, incoming, outgoing }) => {
    const where = `${system.file}: relays.${name}`;
    const read = readEdges(system);
    const unknown = [incoming, outgoing].filter((edge) => !read.includes(edge));
    const problems = unknown.map((edge) =>
      edges.includes(edge) ? unreadEdge(where, edge, read, system) : unknownEdge(where, edge, edges),
    );
    const [, into = ''] = incoming.split(' -> ');
    const [out] = outgoing.split(' -> ');
    if (problems.length > 0 || partyIn(into) === out) return problems;
    return [
      new Problem({
        code: 'config.bad-value',
        where,
        what: `\`${incoming}\` leads to ${into}, and \`${outgoing}\` begins at ${out}`,
        allowed: 'two edges of one service: one into it, and one out of it',
        next: 'name the edges that meet in the service',
      }),
    ];
  });
}
