/** Counts bytes on byte-level edges during an attempt: the only sign of activity on a connection that stays open. */
import type { Traffic } from '../../environment/keeper/describe-traffic.ts';
import type { PassedEdge } from '../../journal/trial-event.ts';
import type { LiveEnvironment } from './live-environment.ts';
import { topologyOf } from './topology-of.ts';

/** Returns what has passed since. */
export async function watchBytes({
  ask,
  system,
}: LiveEnvironment): Promise<() => Promise<readonly PassedEdge[]>> {
  const { edges } = topologyOf(system);
  const unseen = new Set(edges.filter(({ seen }) => seen === 'bytes').map(nameOf));
  if (unseen.size === 0) return async () => [];
  const before = new Map((await ask('traffic', {})).edges.map((edge) => [nameOf(edge), edge]));
  return async () => {
    const now = await ask('traffic', {});
    return now.edges
      .filter((edge) => unseen.has(nameOf(edge)))
      .map((edge) => passedSince(edge, before.get(nameOf(edge))))
      .filter(({ sent, received }) => sent + received > 0);
  };
}

type EdgeBytes = Traffic['edges'][number];

function passedSince({ from, to, bytesSent, bytesReceived }: EdgeBytes, before?: EdgeBytes): PassedEdge {
  return {
    from,
    to,
    sent: bytesSent - (before?.bytesSent ?? 0),
    received: bytesReceived - (before?.bytesReceived ?? 0),
  };
}

function nameOf({ from, to }: { readonly from: string; readonly to: string }): string {
  return `${from} -> ${to}`;
}
