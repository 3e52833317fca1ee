/** Accepts an event once, and makes it a job for the agent, whose reply comes later. */
import { hasDefect } from '../defects.ts';
import { type Log, reasonOf } from '../service/log.ts';
import { post, readAnswer } from '../wire/post.ts';
import type { SendMessage } from './messenger.ts';
import type { PendingRequest, PendingRequests } from './pending-requests.ts';
import type { ChannelEvent } from './read-event.ts';

export interface ChannelParts {
  readonly agentUrl: string;
  readonly pending: PendingRequests;
  readonly send: SendMessage;
  /** Event id to request id. */
  readonly seen: Map<string, string>;
  readonly log: Log;
}

export type Taken = { readonly request_id: string; readonly duplicate?: true } | { readonly ignored: true };

const mostSeen = 5_000;

export async function takeEvent(event: ChannelEvent, parts: ChannelParts): Promise<Taken> {
  const { pending, seen, log } = parts;
  if (event.text === '') return { ignored: true };
  const known = seen.get(event.id);
  if (known !== undefined && !hasDefect('event-twice')) {
    log.info('event again', { event_id: event.id, request_id: known });
    return { request_id: known, duplicate: true };
  }
  const request = pending.open(event.from);
  seen.set(event.id, request.id);
  for (const oldest of seen.keys()) {
    if (seen.size <= mostSeen) break;
    seen.delete(oldest);
  }
  log.info('event taken', { event_id: event.id, request_id: request.id });
  await askAgent(event, request, parts);
  return { request_id: request.id };
}

/** When the agent does not accept the job, the user is informed at once, and the request is closed. */
async function askAgent(event: ChannelEvent, request: PendingRequest, parts: ChannelParts): Promise<void> {
  const { agentUrl, pending, send, log } = parts;
  const { id, token, user } = request;
  const json = { request_id: id, callback_url: `callbacks/${id}`, token, user, text: event.text };
  const refused = await post({ url: `${agentUrl}/jobs`, json, withinMs: 5_000 })
    .then(async (answer) => {
      await readAnswer(answer, { idleMs: 5_000 });
      return answer.statusCode === 202 ? undefined : `status ${answer.statusCode}`;
    })
    .catch(reasonOf);
  if (refused === undefined) return;
  log.warn('agent did not take the job', { request_id: id, reason: refused });
  if (pending.claim(id, token).state !== 'claimed') return;
  await send({ to: user, text: 'Sorry, the assistant is not there.', request_id: id });
}
