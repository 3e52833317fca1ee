/** Keeps the latest events for clients that connect later, and forwards new ones. */
import type { JournalEvent } from '../../journal/event.ts';
import { callLimits } from '../../taps/calls/call-limits.ts';
import type { Client } from './keeper-server.ts';

const mostKept = 5_000;
/** Less than a client may leave unread, so that a late client is not disconnected because of the backlog. */
const mostKeptBytes = 2 * 1024 * 1024;

export function createEventBacklog() {
  const kept: JournalEvent[] = [];
  const clients = new Set<Client>();
  let keptBytes = 0;
  let dropped = 0;
  return {
    add: (event: JournalEvent): void => {
      for (const client of clients) client.send(event);
      kept.push(event);
      keptBytes += roughBytes(event);
      if (kept.length <= mostKept && keptBytes <= mostKeptBytes) return;
      const old = kept.splice(0, Math.ceil(kept.length / 2));
      keptBytes -= old.reduce((sum, gone) => sum + roughBytes(gone), 0);
      dropped += old.length;
    },
    /** Sends the kept events, then all new ones; returns how many were dropped. */
    follow: (client: Client): number => {
      for (const event of kept) client.send(event);
      clients.add(client);
      client.onGone(() => clients.delete(client));
      return dropped;
    },
  };
}

export type EventBacklog = ReturnType<typeof createEventBacklog>;

/** A call holds what was sent, up to the size of a body that a tap keeps; a JSON-RPC call holds it twice. */
function roughBytes(event: JournalEvent): number {
  if (event.type !== 'call') return 300;
  const { request, response } = event;
  // A compressed body takes more space than its byte count.
  if ([request, response].some((message) => message?.headers['content-encoding'] !== undefined))
    return JSON.stringify(event).length;
  const bodies = [request.bytes, response?.bytes ?? 0];
  return bodies.reduce((sum, bytes) => sum + 2 * Math.min(bytes, callLimits.jsonBytes), 1_000);
}
