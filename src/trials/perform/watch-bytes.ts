/** Counts bytes on byte-level edges during an attempt: the only sign of activity on a connection that stays open. */
import type { PassedEdge } from '../../journal/trial-event.ts';
import { edgeOf } from '../../kernel/edge-name.ts';
import type { LiveEnvironment } from './live-environment.ts';
import { topologyOf } from './topology-of.ts';

/** Returns what has passed since. */
export async function watchBytes(
  environment: LiveEnvironment,
): Promise<() => Promise<readonly PassedEdge[]>> {
  const { ask, system } = environment;
  const { edges } = topologyOf(system);
  const unseen = new Set(edges.filter(({ seen }) => seen === 'bytes' || seen === 'statements').map(edgeOf));
  if (unseen.size === 0) return async () => [];
  const before = new Map((await ask('traffic', {})).edges.map((edge) => [edgeOf(edge), edge]));
  return async () => {
    const now = (await ask('traffic', {})).edges.filter((edge) => unseen.has(edgeOf(edge)));
    const passed = now.map(({ from, to, bytesSent, bytesReceived }) => {
      const { bytesSent: sent = 0, bytesReceived: received = 0 } = before.get(edgeOf({ from, to })) ?? {};
      return { from, to, sent: bytesSent - sent, received: bytesReceived - received };
    });
    return passed.filter(({ sent, received }) => sent + received > 0);
  };
}
