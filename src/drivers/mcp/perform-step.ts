/** Sends the request of a step to a server, and converts the answer to evidence. */
import { defined } from '../../kernel/defined.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { headerMismatch, isStateless, type ListKind, methodsOfLists } from '../../protocols/mcp/eras.ts';
import { parameterHeaders } from '../../protocols/mcp/stateless-request.ts';
import { readToolResult } from '../../protocols/mcp/tool-result.ts';
import type { ActError } from '../driver.ts';
import type { Call } from './call.ts';
import type { Greeting } from './greet.ts';
import { listAll } from './list-all.ts';
import type { McpClient } from './mcp-client.ts';
import { mcpLimits } from './mcp-limits.ts';
import type { McpStep } from './mcp-step.ts';
import type { OpenClient } from './open-client.ts';
import type { Outcome } from './waiting-room.ts';

export type Answered = Readonly<Record<string, unknown>> & { readonly error?: ActError };

export async function performStep(step: McpStep, open: OpenClient, call: Call): Promise<Answered> {
  const { client, greeting } = open;
  if (step.list !== undefined) return list(client, step.list, call);
  const question = questionOf(step);
  if (question === undefined) return { isError: false, result: greeting.result };
  const { method, params } = question;
  if (method.startsWith('notifications/')) {
    const error = await client.notify(method, params, call);
    return error === undefined ? { isError: false } : { isError: true, error };
  }
  const isTool = method === 'tools/call';
  const ask = (asked: JsonMap | undefined): Promise<Outcome> =>
    isTool && asked !== undefined ? callTool(client, asked, call) : client.request(method, asked, call);
  const first = await ask(params);
  const answer = step.client === undefined ? first : await answerBack(first, params, call, ask);
  if (answer.kind !== 'result') return failedAnswer(answer);
  const { result } = answer;
  return { ...(isTool ? toolAnswer(result) : { isError: false, result }), ...typeOf(result, greeting) };
}

/** The request in terms of the protocol; undefined when the server is only greeted. */
export function questionOf(
  step: McpStep,
): { readonly method: string; readonly params?: JsonMap } | undefined {
  if (step.list !== undefined) return { method: methodsOfLists[step.list] };
  if (step.tool !== undefined) {
    return { method: 'tools/call', params: { name: step.tool, arguments: step.args ?? {} } };
  }
  if (step.request === undefined) return undefined;
  // What is not an object is sent as it is: a trial may test how a server handles it.
  return defined({ method: step.request, params: step.params as JsonMap | undefined });
}

export function failedAnswer(answer: Exclude<Outcome, { kind: 'result' }>): Answered {
  if (answer.kind === 'failed') return { isError: true, error: answer.error };
  return { isError: true, rpcError: answer.error, during: answer.during };
}

async function list(client: McpClient, kind: ListKind, call: Call): Promise<Answered> {
  const { items, pages, wrong } = await listAll(client, kind, call);
  const named = items.map((item) => (isMap(item) ? item[kind === 'resources' ? 'uri' : 'name'] : undefined));
  const names = named.filter((name) => typeof name === 'string');
  const nameless = items.length - names.length;
  if (nameless > 0) call.record.note(`${nameless} of the listed ${kind} have no name`);
  const found = { [kind]: items, names, pages };
  return wrong === undefined ? { isError: false, ...found } : { ...found, ...failedAnswer(wrong) };
}

function toolAnswer(result: unknown): Answered {
  const read = readToolResult(result);
  if (typeof read === 'string') return { isError: true, result, error: { kind: 'garbage', message: read } };
  const { value, ...said } = read;
  return 'value' in read ? { ...said, result: value } : said;
}

/** In the stateless era an answer may be a question in return. */
function typeOf(result: unknown, { protocolVersion }: Greeting): Readonly<Record<string, unknown>> {
  if (!isStateless(protocolVersion)) return {};
  return { resultType: isMap(result) ? (result.resultType ?? 'complete') : 'complete' };
}

/** Which arguments, only the tool's schema says: it is looked up when the server misses them. */
async function callTool(client: McpClient, params: JsonMap, call: Call): Promise<Outcome> {
  const answer = await client.request('tools/call', params, call);
  const isMissed = answer.kind === 'error' && answer.error.code === headerMismatch;
  if (!isMissed || !isStateless(client.version ?? '') || client.transport.kind === 'stdio') return answer;
  const { items } = await listAll(client, 'tools', call);
  const tool = items.find((item) => isMap(item) && item.name === params.name);
  const headers = isMap(tool) ? parameterHeaders(tool.inputSchema, params.arguments) : {};
  if (Object.keys(headers).length === 0) return answer;
  return client.request('tools/call', params, call, headers);
}

/** Ends with the first answer that asks nothing, or asks what nothing answers. */
async function answerBack(
  first: Outcome,
  params: JsonMap | undefined,
  call: Call,
  ask: (params: JsonMap) => Promise<Outcome>,
): Promise<Outcome> {
  let answer = first;
  for (let round = 0; round < mcpLimits.rounds; round += 1) {
    const result = answer.kind === 'result' ? answer.result : undefined;
    if (!isMap(result) || result.resultType !== 'input_required') break;
    const { inputRequests, requestState } = result;
    // A server that only asks for a retry sends its state alone.
    const inputResponses = isMap(inputRequests) ? responsesTo(inputRequests, call) : {};
    if (inputResponses === undefined || (!isMap(inputRequests) && requestState === undefined)) break;
    const state = requestState === undefined ? {} : { requestState };
    answer = await ask({ ...params, ...(isMap(inputRequests) ? { inputResponses } : {}), ...state });
  }
  return answer;
}

function responsesTo(inputRequests: JsonMap, call: Call): JsonMap | undefined {
  const replies = Object.entries(inputRequests).map(([key, asked]) => {
    const { method = '', params } = isMap(asked) ? asked : {};
    const reply = call.reply(String(method));
    call.record.asked({ method: String(method), ...defined({ params }), ...reply });
    return [key, 'result' in reply ? reply.result : undefined] as const;
  });
  return replies.some(([, result]) => result === undefined) ? undefined : Object.fromEntries(replies);
}
