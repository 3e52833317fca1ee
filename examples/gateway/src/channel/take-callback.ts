/** Accepts the reply to a request, exactly once, from a client that has its token. */
import { readJson, textOf } from '../service/read-body.ts';
import { Refusal } from '../service/refusal.ts';
import { sendJson, type Visit } from '../service/serve.ts';
import type { Claim } from './pending-requests.ts';
import type { ChannelParts } from './take-event.ts';

const refusals: Readonly<Record<Exclude<Claim['state'], 'claimed'>, Refusal>> = {
  unknown: new Refusal(404, 'unknown_request', 'nobody asked for this'),
  'wrong-token': new Refusal(401, 'wrong_token', 'the token does not fit the request'),
  answered: new Refusal(409, 'already_answered', 'the request has its reply'),
  expired: new Refusal(410, 'request_expired', 'the request was given up'),
};

export async function takeCallback({ request, response, rest }: Visit, parts: ChannelParts): Promise<void> {
  const { pending, send, log } = parts;
  const body = await readJson(request);
  const text = textOf(body, 'text');
  if (body.request_id !== rest)
    throw new Refusal(400, 'request_mismatch', 'address and body name two requests');
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const claim = pending.claim(rest, token);
  if (claim.state !== 'claimed') {
    log.warn('callback refused', { request_id: rest, reason: claim.state });
    throw refusals[claim.state];
  }
  const isSent = await send({ to: claim.request.user, text, request_id: claim.request.id });
  sendJson(response, 200, { request_id: claim.request.id, sent: isSent });
}
