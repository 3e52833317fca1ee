/** The chat: a text comes in, and the agent's reply goes back in the same request. */
import { reasonOf } from './service/log.ts';
import { readJson, textOf } from './service/read-body.ts';
import { sendJson, serve, type Visit } from './service/serve.ts';
import { address, wholeNumber } from './service/settings.ts';
import { type JsonObject, parseObject, textIn } from './wire/json.ts';
import { post, readAnswer } from './wire/post.ts';

await serve('chat', (env, log) => {
  const url = `${address(env, 'AGENT_URL')}/ask`;
  const withinMs = wholeNumber(env, 'REPLY_TIMEOUT_MS', 60_000);
  return {
    'POST /chat': async ({ request, response, gone }) => {
      const body = await readJson(request);
      const json = { user: textOf(body, 'user'), text: textOf(body, 'text'), ...modelOf(body) };
      const headers = requestIdOf(request);
      const asked = await post({ url, headers, json, withinMs, signal: gone })
        .then(async (answer) => parseObject(await readAnswer(answer, { idleMs: withinMs })))
        .catch((error: unknown) => {
          log.warn('agent unreachable', { ...headers, reason: reasonOf(error) });
          return undefined;
        });
      tell(response, asked);
    },
  };
});

function modelOf(body: JsonObject): JsonObject {
  return body.model === undefined ? {} : { model: textOf(body, 'model') };
}

function requestIdOf(request: Visit['request']): Record<string, string> {
  const told = request.headers['x-request-id'];
  return typeof told === 'string' ? { 'x-request-id': told } : {};
}

const nobody = { outcome: 'failed', cause: 'agent', text: 'Sorry, the assistant is not there.' };

/** A person always gets a sentence; programs read the status and the cause. */
function tell(response: Visit['response'], reply: JsonObject | undefined): void {
  const isReply = reply?.outcome === 'ok' || reply?.outcome === 'failed';
  const { outcome, cause, text, request_id }: JsonObject = isReply ? reply : nobody;
  sendJson(response, outcome === 'ok' ? 200 : 502, { outcome, cause, reply: textIn(text), request_id });
}
