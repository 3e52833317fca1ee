/** How an edge is written, `switchboard -> health`, and which edges one with `*` in it means. */

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

/** Whether one of the edges is meant; `*` stands for any end. */
export function hasEdge(edges: readonly string[], { from, to }: EdgeEnds): boolean {
  return edges.some((edge) => {
    const [a, b] = edge.split(' -> ');
    return (from === '*' || from === a) && (to === '*' || to === b);
  });
}
