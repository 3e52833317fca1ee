/** How an edge is written, `switchboard -> health`, and which edges are meant by one that is written. */

export interface EdgeEnds {
  readonly from: string;
  readonly to: string;
}

/** `a->b` and `a -> b` are the same edge. */
export function edgeName(written: string): string {
  return written
    .split('->')
    .map((end) => end.trim())
    .join(' -> ');
}

/** Whether the pattern matches one of the edges; `*` matches any end. Of a service with several listeners, `bank` is the first. */
export function hasEdge(edges: readonly string[], { from, to }: EdgeEnds): boolean {
  return edges.some((edge) => {
    const [a, b] = edge.split(' -> ');
    return (from === '*' || from === a) && (to === '*' || to === b);
  });
}

/** The same for what is looked at: there, `bank` is every listener of bank, and `bank.admin` that one alone. */
export function looksAtEdge(edges: readonly string[], { from, to }: EdgeEnds): boolean {
  return edges.some((edge) => {
    const [a = '', b = ''] = edge.split(' -> ');
    return looksAtEnd(from, a) && looksAtEnd(to, b);
  });
}

export function looksAtEnd(wanted: string, end: string): boolean {
  return wanted === '*' || wanted === end || wanted === partyIn(end);
}

/** The party at an end of an edge: `bank.admin` is a listener of `bank`. Names of parties have no dot. */
export function partyIn(end: string): string {
  return end.split('.', 1)[0] ?? end;
}

export function edgeOf({ from, to }: EdgeEnds): string {
  return `${from} -> ${to}`;
}
