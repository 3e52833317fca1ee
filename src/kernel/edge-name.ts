/** How an edge is written, `switchboard -> health`, and which edges a pattern with `*` matches. */

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

/** Whether the pattern matches one of the edges; `*` matches any end. */
export function hasEdge(edges: readonly string[], { from, to }: EdgeEnds): boolean {
  return edges.some((edge) => {
    const [a, b] = edge.split(' -> ');
    return (from === '*' || from === a) && (to === '*' || to === b);
  });
}

export function edgeOf({ from, to }: EdgeEnds): string {
  return `${from} -> ${to}`;
}
