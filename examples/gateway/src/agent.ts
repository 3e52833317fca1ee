/** The agent: answers texts with the help of a model behind the gateway and of the file server. */
import { type AgentParts, type Ask, answer, statusOf } from './agent/answer.ts';
import { createHistories } from './agent/histories.ts';
import { callbackUrl, createJobs, type Jobs } from './agent/jobs.ts';
import { connectTools } from './mcp/tool-client.ts';
import { readJson, textOf } from './service/read-body.ts';
import { requestIdOf } from './service/request-id.ts';
import { sendJson, serve, type Visit } from './service/serve.ts';
import { address, required, wholeNumber } from './service/settings.ts';
import { type JsonObject, textIn } from './wire/json.ts';

await serve('agent', (env, log) => {
  const parts: AgentParts = {
    access: {
      url: address(env, 'GATEWAY_URL'),
      key: required(env, 'GATEWAY_KEY'),
      withinMs: wholeNumber(env, 'MODEL_TIMEOUT_MS', 60_000),
    },
    tools: connectTools(address(env, 'FILES_URL'), wholeNumber(env, 'TOOL_TIMEOUT_MS', 10_000)),
    histories: createHistories(),
    mostRounds: wholeNumber(env, 'MOST_ROUNDS', 6),
    model: env.MODEL || 'careful',
    log,
  };
  const jobs = createJobs(parts);
  const channel = address(env, 'CHANNEL_CALLBACK_URL');
  return {
    'POST /ask': (visit) => ask(visit, parts),
    'POST /jobs': (visit) => takeJob(visit, parts, jobs, channel),
  };
});

async function ask({ request, response }: Visit, parts: AgentParts): Promise<void> {
  const body = await readJson(request);
  const reply = await answer(askOf(body, requestIdOf(request), parts), parts);
  sendJson(response, statusOf(reply), reply, { 'x-request-id': reply.request_id });
}

async function takeJob(visit: Visit, parts: AgentParts, jobs: Jobs, channel: string): Promise<void> {
  const body = await readJson(visit.request);
  const job = {
    ...askOf(body, textOf(body, 'request_id'), parts),
    callbackUrl: callbackUrl(textOf(body, 'callback_url'), channel),
    token: textOf(body, 'token'),
  };
  const isNew = jobs.take(job);
  sendJson(visit.response, 202, { request_id: job.requestId, ...(isNew ? {} : { duplicate: true }) });
}

function askOf(body: JsonObject, requestId: string, parts: AgentParts): Ask {
  const model = textIn(body.model) || parts.model;
  return { user: textOf(body, 'user'), text: textOf(body, 'text'), model, requestId };
}
