/** Keeps the latest events for clients that come later, and passes on new ones. */
import type { JournalEvent } from '../../journal/event.ts';
import type { Client } from './keeper-server.ts';

export interface EventBacklog {
  add(event: JournalEvent): void;
  /** Sends what is kept, then everything new; says how many were no longer kept. */
  follow(client: Client): number;
}

const mostKept = 5_000;

export function createEventBacklog(): EventBacklog {
  const kept: JournalEvent[] = [];
  const clients = new Set<Client>();
  let dropped = 0;
  return {
    add: (event) => {
      for (const client of clients) client.send(event);
      kept.push(event);
      if (kept.length > mostKept) {
        kept.splice(0, mostKept / 2);
        dropped += mostKept / 2;
      }
    },
    follow: (client) => {
      for (const event of kept) client.send(event);
      clients.add(client);
      client.onGone(() => clients.delete(client));
      return dropped;
    },
  };
}
