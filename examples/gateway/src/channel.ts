/** The channel: receives signed events of a messaging service, and sends replies when the agent calls back. */
import { createMessenger } from './channel/messenger.ts';
import { createPendingRequests } from './channel/pending-requests.ts';
import { readEvent } from './channel/read-event.ts';
import { takeCallback } from './channel/take-callback.ts';
import { type ChannelParts, takeEvent } from './channel/take-event.ts';
import { sendJson, serve, type Visit } from './service/serve.ts';
import { address, required, wholeNumber } from './service/settings.ts';

await serve('channel', (env, log) => {
  const send = createMessenger(address(env, 'MESSENGER_URL'), log);
  const pending = createPendingRequests(wholeNumber(env, 'REPLY_TIMEOUT_MS', 60_000), ({ id, user }) => {
    log.warn('request expired', { request_id: id });
    void send({ to: user, text: 'Sorry, that took too long.', request_id: id });
  });
  const parts: ChannelParts = { agentUrl: address(env, 'AGENT_URL'), pending, send, seen: new Map(), log };
  const trust = {
    secret: required(env, 'WEBHOOK_SECRET'),
    toleranceS: wholeNumber(env, 'EVENT_TOLERANCE_S', 300),
  };
  return {
    'POST /webhook': (visit) => webhook(visit, parts, trust),
    'POST /callbacks/*': (visit) => takeCallback(visit, parts),
    'GET /health': ({ response }) => sendJson(response, 200, { status: 'ok', waiting: pending.waiting }),
  };
});

async function webhook(
  { request, response }: Visit,
  parts: ChannelParts,
  trust: Parameters<typeof readEvent>[1],
): Promise<void> {
  const taken = await takeEvent(await readEvent(request, trust), parts);
  const isNew = 'request_id' in taken && !taken.duplicate;
  sendJson(response, isNew ? 202 : 200, taken);
}
