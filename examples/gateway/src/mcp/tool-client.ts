/** The client side of MCP over streamable HTTP: initializes when needed, lists tools, calls them. */
import type { IncomingMessage } from 'node:http';
import { reasonOf } from '../service/log.ts';
import { isObject, type JsonObject, objectsIn, parseObject, textIn } from '../wire/json.ts';
import { post, readAnswer } from '../wire/post.ts';
import { readEvents } from '../wire/sse-reader.ts';

export interface ToolClient {
  list(): Promise<readonly OfferedTool[]>;
  call(name: string, args: JsonObject, requestId: string): Promise<ToolResult>;
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

export interface ToolResult {
  readonly ok: boolean;
  readonly text: string;
}

/** The server could not be reached, or does not speak the protocol. */
export class ToolServerFailed extends Error {}

const version = '2025-06-18';
const mostPages = 20;

interface Session {
  readonly id: string;
  readonly version: string;
}

export function connectTools(url: string, withinMs: number): ToolClient {
  let session: Promise<Session> | undefined;
  let lastId = 0;

  const send = async (message: JsonObject, known?: Session, more: Record<string, string> = {}) => {
    const headers = {
      accept: 'application/json, text/event-stream',
      ...(known ? { 'mcp-session-id': known.id, 'mcp-protocol-version': known.version } : {}),
      ...more,
    };
    return post({ url: `${url}/mcp`, headers, json: { jsonrpc: '2.0', ...message }, withinMs });
  };

  const greet = async (): Promise<Session> => {
    const id = ++lastId;
    const clientInfo = { name: 'agent', version: '1.0.0' };
    const params = { protocolVersion: version, capabilities: {}, clientInfo };
    const answer = await send({ id, method: 'initialize', params });
    const { protocolVersion } = resultOf(await messageOf(answer, id, withinMs));
    const known = { id: textIn(answer.headers['mcp-session-id']), version: textIn(protocolVersion) };
    const noted = await send({ method: 'notifications/initialized' }, known);
    await readAnswer(noted, { idleMs: withinMs });
    return known;
  };

  /** A restarted server does not know our session: the client initializes again, once. */
  const ask = async (
    method: string,
    params: JsonObject,
    requestId = '',
    isAgain = false,
  ): Promise<JsonObject> => {
    session ??= greet();
    const known = await session.catch((error: unknown) => {
      session = undefined;
      throw error;
    });
    const id = ++lastId;
    const more: Record<string, string> = requestId === '' ? {} : { 'x-request-id': requestId };
    const answer = await send({ id, method, params }, known, more);
    if (answer.statusCode === 404 && !isAgain) {
      answer.resume();
      session = undefined;
      return ask(method, params, requestId, true);
    }
    return messageOf(answer, id, withinMs);
  };

  return {
    list: () => listTools(ask),
    async call(name, args, requestId) {
      const answer = await ask('tools/call', { name, arguments: args }, requestId).catch(failed);
      if (isObject(answer.error)) return { ok: false, text: textIn(answer.error.message) };
      const { content, isError } = resultOf(answer);
      const text = objectsIn(content).map((part) => textIn(part.text));
      return { ok: isError !== true, text: text.join('\n') };
    },
  };
}

type Ask = (method: string, params: JsonObject) => Promise<JsonObject>;

/** All pages, as long as each has a cursor to the next. */
async function listTools(ask: Ask): ReturnType<ToolClient['list']> {
  const tools: JsonObject[] = [];
  let cursor: unknown;
  for (let page = 1; page <= mostPages; page += 1) {
    const params: JsonObject = cursor === undefined ? {} : { cursor };
    const result = resultOf(await ask('tools/list', params).catch(failed));
    tools.push(...objectsIn(result.tools));
    if (result.nextCursor === undefined || result.nextCursor === cursor) break;
    cursor = result.nextCursor;
  }
  return tools.map(({ name, description, inputSchema }) => ({
    name: textIn(name),
    description: textIn(description),
    inputSchema,
  }));
}

function failed(error: unknown): never {
  throw error instanceof ToolServerFailed ? error : new ToolServerFailed(reasonOf(error));
}

/** The answer to this request: one JSON body, or the event that carries its id. */
async function messageOf(answer: IncomingMessage, id: number, withinMs: number): Promise<JsonObject> {
  const isStream = (answer.headers['content-type'] ?? '').startsWith('text/event-stream');
  const timer = setTimeout(() => answer.destroy(new Error(`no answer within ${withinMs} ms`)), withinMs);
  try {
    if (!isStream) {
      const message = parseObject(await readAnswer(answer, { idleMs: withinMs }));
      if (message?.jsonrpc !== '2.0')
        throw new ToolServerFailed(`status ${answer.statusCode} without JSON-RPC`);
      return message;
    }
    for await (const { data } of readEvents(answer)) {
      const message = parseObject(data);
      if (message?.id === id && message.method === undefined) return message;
    }
    throw new ToolServerFailed('the stream ended without an answer');
  } finally {
    clearTimeout(timer);
    answer.destroy();
  }
}

function resultOf(message: JsonObject): JsonObject {
  if (isObject(message.result)) return message.result;
  const error = isObject(message.error) ? message.error : {};
  throw new ToolServerFailed(textIn(error.message) || 'an answer without a result');
}
