/** An event of the messaging service: signed, recent, and a message; or the reason why it is refused. */
import type { IncomingMessage } from 'node:http';
import { hasDefect } from '../defects.ts';
import { readBody, textOf } from '../service/read-body.ts';
import { Refusal } from '../service/refusal.ts';
import { parseObject } from '../wire/json.ts';
import { isSigned } from './signature.ts';

export interface ChannelEvent {
  readonly id: string;
  readonly from: string;
  /** Empty for events that are not messages: typing, read receipts. */
  readonly text: string;
}

export async function readEvent(
  request: IncomingMessage,
  { secret, toleranceS }: { readonly secret: string; readonly toleranceS: number },
): Promise<ChannelEvent> {
  const bytes = await readBody(request);
  if (!isSigned(bytes, request.headers['x-signature'], secret)) {
    throw new Refusal(401, 'bad_signature', 'the signature does not fit the body');
  }
  const body = parseObject(bytes.toString('utf8'));
  if (!body) throw new Refusal(400, 'invalid_event', 'an event must be a JSON object');
  const sentAt = typeof body.sent_at === 'number' ? body.sent_at : Number.NaN;
  const isNear = Math.abs(Date.now() / 1_000 - sentAt) <= toleranceS;
  if (!isNear && !hasDefect('old-event-accepted')) {
    throw new Refusal(401, 'event_too_old', `sent_at must be within ${toleranceS} seconds`);
  }
  const isMessage = body.type === 'message';
  return {
    id: textOf(body, 'event_id'),
    from: textOf(body, 'from'),
    text: isMessage ? textOf(body, 'text') : '',
  };
}
