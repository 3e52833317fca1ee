/** The butler's `sessions` table: the request, the tool calls, the outcome. */
import type { Database, Pool } from '../daemon/database.ts';
import { hasDefect } from '../defects.ts';
import type { Conversation } from '../model/conversation.ts';

export interface Session {
  readonly id: string;
  readonly trigger: 'message' | 'heartbeat';
  readonly prompt: string;
  readonly eventId?: string;
  readonly traceparent?: string;
}

/**
 * Opens a session, unless it is done already: then it returns the earlier answer. One that failed, or was cut off
 * with the process that ran it, is opened again; nothing of it was kept.
 */
export async function openSession(
  pool: Pool,
  session: Session,
): Promise<{ readonly doneBefore?: { answer: string } }> {
  if (hasDefect('session-log-missing')) return {};
  const opened = await pool.query(
    `INSERT INTO sessions (id, trigger, event_id, prompt, status, traceparent)
     VALUES ($1, $2, $3, $4, 'running', $5)
     ON CONFLICT (id) DO UPDATE SET status = 'running', error = NULL, started_at = now(), ended_at = NULL
       WHERE sessions.status <> 'done'`,
    [session.id, session.trigger, session.eventId, session.prompt, session.traceparent],
  );
  if (opened.rowCount === 1) return {};
  const done = await pool.query<{ answer: string | null }>('SELECT answer FROM sessions WHERE id = $1', [
    session.id,
  ]);
  return { doneBefore: { answer: done.rows[0]?.answer ?? '' } };
}

/** Part of the transaction in which the tools wrote their rows: all of it is kept, or none. */
export async function closeSession(
  database: Database,
  id: string,
  { answer, toolCalls, usage }: Conversation,
): Promise<void> {
  const { input, output } = hasDefect('usage-not-logged') ? { input: 0, output: 0 } : usage;
  await database.query(
    `UPDATE sessions SET status = 'done', answer = $2, tool_calls = $3, input_tokens = $4, output_tokens = $5,
            ended_at = now() WHERE id = $1`,
    [id, answer, JSON.stringify(toolCalls), input, output],
  );
}

export async function failSession(pool: Pool, id: string, reason: string): Promise<void> {
  await pool.query("UPDATE sessions SET status = 'failed', error = $2, ended_at = now() WHERE id = $1", [
    id,
    reason,
  ]);
}
