/** The switchboard's tables: messages that were accepted, and where they went. */
import { randomUUID } from 'node:crypto';
import type { Pool } from '../daemon/database.ts';
import { traceIdOf } from '../daemon/trace.ts';
import type { Delivery } from './butler-line.ts';

interface Event {
  readonly eventId: string;
  readonly channel: string;
  readonly text: string;
  readonly traceparent: string;
}

export interface Message extends Event {
  readonly session: string;
}

interface Accepted {
  readonly status: 'accepted' | 'duplicate';
  readonly session: string;
  /** The id of its trace. */
  readonly trace: string;
}

export interface Route {
  readonly butler: string;
  readonly text: string;
  readonly status: Delivery['status'] | 'pending';
  readonly answer: string | null;
}

export type MessageStatus = 'received' | 'done' | 'unrouted' | 'undelivered' | 'failed';

export type Inbox = ReturnType<typeof openInbox>;

export function openInbox(pool: Pool) {
  return {
    /** Accepts an event once: the same event id again returns the session and the trace of the first time. */
    async accept(event: Event): Promise<Accepted> {
      const session = randomUUID();
      const added = await pool.query(
        `INSERT INTO inbox (session, event_id, channel, text, traceparent) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (event_id) DO NOTHING`,
        [session, event.eventId, event.channel, event.text, event.traceparent],
      );
      if (added.rowCount === 1) return { status: 'accepted', session, trace: traceIdOf(event.traceparent) };
      const found = await pool.query<{ session: string; traceparent: string }>(
        'SELECT session, traceparent FROM inbox WHERE event_id = $1',
        [event.eventId],
      );
      const [first] = found.rows;
      return {
        status: 'duplicate',
        session: first?.session ?? '',
        trace: traceIdOf(first?.traceparent ?? ''),
      };
    },

    async withStatus(...statuses: readonly MessageStatus[]): Promise<Message[]> {
      const found = await pool.query<Message>(
        `SELECT session, event_id AS "eventId", channel, text, traceparent FROM inbox
          WHERE status = ANY($1) ORDER BY received_at LIMIT 500`,
        [statuses],
      );
      return found.rows;
    },

    async routesOf(session: string): Promise<Route[]> {
      const found = await pool.query<Route>(
        'SELECT butler, text, status, answer FROM routes WHERE session = $1 ORDER BY butler',
        [session],
      );
      return found.rows;
    },

    /** Before a hand-over begins: after a crash in the middle, it goes along the same routes again. */
    async openRoutes(session: string, texts: ReadonlyMap<string, string>) {
      await pool.query(
        `INSERT INTO routes (session, butler, text, status)
         SELECT $1, butler, text, 'pending' FROM unnest($2::text[], $3::text[]) AS route (butler, text)
         ON CONFLICT (session, butler) DO NOTHING`,
        [session, [...texts.keys()], [...texts.values()]],
      );
    },

    async closeRoute(session: string, butler: string, delivery: Delivery) {
      const { answer, error } = { answer: null, error: null, ...delivery };
      await pool.query(
        `UPDATE routes SET status = $3, answer = $4, error = $5, attempts = attempts + 1, updated_at = now()
          WHERE session = $1 AND butler = $2`,
        [session, butler, delivery.status, answer, error],
      );
    },

    async finish(session: string, end: { status: MessageStatus; answer?: string; error?: string }) {
      await pool.query(
        'UPDATE inbox SET status = $2, answer = $3, error = $4, ended_at = now() WHERE session = $1',
        [session, end.status, end.answer, end.error],
      );
    },
  };
}
