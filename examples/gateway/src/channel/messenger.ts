/** Sends replies through the external messaging service; transient failures are retried. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, reasonOf } from '../service/log.ts';
import { post } from '../wire/post.ts';

export interface Outgoing {
  readonly to: string;
  readonly text: string;
  readonly request_id: string;
}

/** False when it was lost. */
export type SendMessage = (message: Outgoing) => Promise<boolean>;

const tries = 3;
const pauseMs = 200;
const longestPauseMs = 1_000;
const withinMs = 2_000;

export function createMessenger(url: string, log: Log): SendMessage {
  return async (message) => {
    const about = { request_id: message.request_id };
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const { status, waitMs } = await send(url, message, log);
      if (status >= 200 && status < 300) {
        log.info('sent', about);
        return true;
      }
      log.warn('messenger failed', { ...about, status });
      const isPassing = status === 0 || status === 429 || status >= 500;
      if (!isPassing) break;
      if (attempt < tries) await sleep(waitMs);
    }
    log.error('message lost', about);
    return false;
  };
}

async function send(url: string, message: Outgoing, log: Log): Promise<{ status: number; waitMs: number }> {
  try {
    const headers = { 'x-request-id': message.request_id };
    const answer = await post({ url: `${url}/send`, headers, json: message, withinMs });
    answer.resume();
    const seconds = Number(answer.headers['retry-after'] ?? Number.NaN);
    const waitMs = Number.isNaN(seconds) ? pauseMs : Math.min(seconds * 1_000, longestPauseMs);
    return { status: answer.statusCode ?? 0, waitMs };
  } catch (error) {
    log.warn('messenger unreachable', { request_id: message.request_id, reason: reasonOf(error) });
    return { status: 0, waitMs: pauseMs };
  }
}
