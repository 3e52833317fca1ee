/** Questions that are answered later: accepted at once, processed, and the reply posted to the client that asked. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, reasonOf } from '../service/log.ts';
import { Refusal } from '../service/refusal.ts';
import { post } from '../wire/post.ts';
import { type AgentParts, type Ask, answer, type Reply } from './answer.ts';

export interface Job extends Ask {
  /** Where the reply goes. */
  readonly callbackUrl: string;
  /** Authorizes the reply there, once. */
  readonly token: string;
}

export interface Jobs {
  /** False where it is in progress, or done, already. */
  take(job: Job): boolean;
}

const mostKnown = 1_000;
const pausesMs = [0, 200, 1_000];

export function createJobs(parts: AgentParts): Jobs {
  const known = new Set<string>();
  return {
    take(job) {
      if (known.has(job.requestId)) return false;
      known.add(job.requestId);
      for (const oldest of known) {
        if (known.size <= mostKnown) break;
        known.delete(oldest);
      }
      void work(job, parts);
      return true;
    },
  };
}

/** Replies go only to the channel, whatever address a job names. */
export function callbackUrl(wanted: string, channel: string): string {
  const url = URL.canParse(wanted, `${channel}/`) ? new URL(wanted, `${channel}/`) : undefined;
  if (url?.origin === new URL(channel).origin) return url.href;
  throw new Refusal(400, 'callback_not_allowed', 'callback_url must be an address of the channel');
}

async function work(job: Job, parts: AgentParts): Promise<void> {
  const reply = await answer(job, parts);
  const { requestId, log } = { requestId: job.requestId, log: parts.log };
  for (const pauseMs of pausesMs) {
    await sleep(pauseMs);
    const status = await deliver(job, reply, log);
    if (status > 0 && status < 500) {
      const event = status < 300 ? 'reply delivered' : 'reply refused';
      return log.info(event, { request_id: requestId, status });
    }
  }
  log.error('reply lost', { request_id: requestId });
}

/** 0 without an answer. */
async function deliver(job: Job, reply: Reply, log: Log): Promise<number> {
  const headers = { authorization: `Bearer ${job.token}`, 'x-request-id': job.requestId };
  try {
    const taken = await post({ url: job.callbackUrl, headers, json: reply, withinMs: 10_000 });
    taken.resume();
    return taken.statusCode ?? 0;
  } catch (error) {
    log.warn('callback failed', { request_id: job.requestId, reason: reasonOf(error) });
    return 0;
  }
}
