/** Every edge of a system that a tap or a recorder sees. */
import { edgeEnd, findEdges, schemeOf } from '../environment/wiring/edges.ts';
import { hasEdge } from '../kernel/edge-name.ts';
import { nearest } from '../kernel/nearest.ts';
import { Problem } from '../kernel/problem.ts';
import type { System } from '../system/system.ts';

/** `switchboard -> health` */
export function knownEdges(system: System): readonly string[] {
  return [...tappedEdges(system).map(({ edge }) => edge), ...recordedEdges(system)];
}

/** Those on which single exchanges can be disturbed. */
export function httpEdges(system: System): readonly string[] {
  return tappedEdges(system).flatMap(({ edge, speaks }) => (speaks === 'http' ? [edge] : []));
}

/** Those on which a tool server speaks over stdio: its answers can be sent in another shape. */
export function stdioEdges({ services }: System): readonly string[] {
  return services.flatMap(({ name, stdioTools = [] }) => stdioTools.map((to) => `${name} -> ${to}`));
}

/** Those of which a check can see what crossed. */
export function readEdges(system: System): readonly string[] {
  return [...httpEdges(system), ...recordedEdges(system)];
}

/** Why nothing is ever seen on an edge that is there. */
export function whyUnread(edge: string, system: System): string {
  const speaks = tappedEdges(system).find((tapped) => tapped.edge === edge)?.speaks;
  const told = speaks === undefined ? 'no HTTP is spoken' : `${speaks} is spoken`;
  return `single calls are not seen on \`${edge}\`: ${told} there, and only HTTP and recorded programs are read`;
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
    allowed: listed(edges),
    next: guess ? `did you mean \`${guess}\`?` : 'name an edge of the system',
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
    next: 'name an edge that is read; if it speaks HTTP, say `scheme: http` where it listens',
  });
}

/** A relay whose edges are not there, or do not meet in one service, would prove nothing. */
export function relayProblems(system: System, edges: readonly string[]): Problem[] {
  return system.relays.flatMap(({ name, incoming, outgoing }) => {
    const where = `${system.file}: relays.${name}`;
    const read = readEdges(system);
    const unknown = [incoming, outgoing].filter((edge) => !read.includes(edge));
    const problems = unknown.map((edge) =>
      edges.includes(edge) ? unreadEdge(where, edge, read, system) : unknownEdge(where, edge, edges),
    );
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
