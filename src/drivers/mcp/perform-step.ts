/** Asks of a server what the step says, and puts the answer into the words of evidence. */
import { isMap, type JsonMap } from '../../protocols/json-rpc/is-map.ts';
import { isStateless, type ListKind, methodsOfLists } from '../../protocols/mcp/eras.ts';
import { readToolResult } from '../../protocols/mcp/tool-result.ts';
import type { ActError } from '../driver.ts';
import { answerBack } from './answer-back.ts';
import type { Call } from './call.ts';
import { callTool } from './call-tool.ts';
import type { Greeting } from './greet.ts';
import { listAll } from './list-all.ts';
import type { McpClient } from './mcp-client.ts';
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
  if (answer.kind !== 'result') return toldWrong(answer);
  return {
    ...(isTool ? toolAnswer(answer.result) : plainAnswer(answer.result)),
    ...typeOf(answer.result, greeting),
  };
}

/** What is asked, in the words of the protocol; undefined when the server is only greeted. */
export function questionOf(
  step: McpStep,
): { readonly method: string; readonly params?: JsonMap } | undefined {
  if (step.list !== undefined) return { method: methodsOfLists[step.list] };
  if (step.tool !== undefined) {
    return { method: 'tools/call', params: { name: step.tool, arguments: step.args ?? {} } };
  }
  if (step.request === undefined) return undefined;
  // What is no object is sent as it is: a trial may want to see how a server bears it.
  return { method: step.request, ...(step.params === undefined ? {} : { params: step.params as JsonMap }) };
}

export function toldWrong(answer: Exclude<Outcome, { kind: 'result' }>): Answered {
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
  return wrong === undefined ? { isError: false, ...found } : { ...found, ...toldWrong(wrong) };
}

function toolAnswer(result: unknown): Answered {
  const read = readToolResult(result);
  if (typeof read === 'string') return { isError: true, result, error: { kind: 'garbage', message: read } };
  const { value, ...said } = read;
  return 'value' in read ? { ...said, result: value } : said;
}

function plainAnswer(result: unknown): Answered {
  return { isError: false, result };
}

/** In the stateless era an answer may be a question in return. */
function typeOf(result: unknown, { protocolVersion }: Greeting): Readonly<Record<string, unknown>> {
  if (!isStateless(protocolVersion)) return {};
  return { resultType: isMap(result) ? (result.resultType ?? 'complete') : 'complete' };
}
