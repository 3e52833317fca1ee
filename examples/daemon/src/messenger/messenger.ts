/** The outside messenger as the daemon calls it: webhooks are registered and removed, answers are sent. */
import { type Answered, exchange } from '../http/exchange.ts';
import { decode } from '../providers/read-answer.ts';

export interface Messenger {
  /** Resolves with the messenger's id of the webhook; rejects unless it confirms. */
  register(url: string, secret: string): Promise<string>;
  /** Rejects unless the messenger has removed the webhook. */
  remove(id: string): Promise<void>;
  send(message: Outgoing): Promise<void>;
}

export interface Outgoing {
  readonly chat: string;
  readonly text: string;
  /** The id of the message that it answers. */
  readonly inReplyTo: string;
  readonly degraded: boolean;
}

export interface MessengerSettings {
  readonly url: string;
  readonly token: string;
  readonly timeoutMs: number;
}

export function createMessenger({ url, token, timeoutMs }: MessengerSettings): Messenger {
  const call = (method: string, path: string, json?: unknown): Promise<Answered> =>
    exchange({
      method,
      url: `${url}${path}`,
      headers: { authorization: `Bearer ${token}` },
      json,
      timeoutMs,
    });
  return {
    async register(hookUrl, secret) {
      const answered = await call('POST', '/webhooks', { url: hookUrl, secret });
      const id = answered.status === 201 ? idIn(answered) : undefined;
      if (id === undefined) throw new Error(`it did not confirm: status ${answered.status}`);
      return id;
    },
    async remove(id) {
      const { status } = await call('DELETE', `/webhooks/${encodeURIComponent(id)}`);
      if (status !== 204 && status !== 404) throw new Error(`status ${status}`);
    },
    async send({ chat, text, inReplyTo, degraded }) {
      const json = { chat, text, in_reply_to: inReplyTo, ...(degraded ? { degraded } : {}) };
      const { status } = await call('POST', '/messages', json);
      if (status < 200 || status > 299) throw new Error(`status ${status}`);
    },
  };
}

function idIn({ pieces, cut }: Answered): string | undefined {
  if (cut) return undefined;
  try {
    const { id } = (JSON.parse(decode(pieces)) ?? {}) as { id?: unknown };
    return typeof id === 'string' && id !== '' ? id : undefined;
  } catch {
    return undefined;
  }
}
