/** The server side of MCP over streamable HTTP: initializes sessions, lists its tools, runs them. Answers are plain JSON. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Log, reasonOf } from '../service/log.ts';
import { readBody } from '../service/read-body.ts';
import { Refusal } from '../service/refusal.ts';
import { type Routes, sendJson, type Visit } from '../service/serve.ts';
import { isObject, type JsonObject, parseObject, textIn } from '../wire/json.ts';

export interface ToolServer {
  readonly name: string;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: JsonObject;
  }[];
  /** Rejects with the reason for the caller. Undefined where there is no such tool. */
  call(name: string, args: JsonObject): Promise<string> | undefined;
}

const versions = ['2025-11-25', '2025-06-18', '2025-03-26'];
const mostSessions = 200;

export function toolRoutes(server: ToolServer, log: Log): Routes {
  const sessions = new Set<string>();
  return {
    'POST /mcp': (visit) => take(visit, server, sessions, log),
    'DELETE /mcp': ({ request, response }) => {
      sessions.delete(sessionOf(request));
      response.writeHead(204).end();
    },
  };
}

async function take(visit: Visit, server: ToolServer, sessions: Set<string>, log: Log): Promise<void> {
  const { request, response } = visit;
  const message = parseObject((await readBody(request)).toString('utf8'));
  if (message?.jsonrpc !== '2.0') return sendJson(response, 400, problem(null, -32700, 'no JSON-RPC'));
  const method = textIn(message.method);
  if (method === 'initialize') return greet(visit, message, server, sessions);
  // After a restart the sessions are gone: on this answer the client initializes again.
  if (!sessions.has(sessionOf(request))) {
    return sendJson(response, 404, problem(message.id ?? null, -32001, 'no such session'));
  }
  checkVersion(request);
  if (message.id === undefined || method === '') return void response.writeHead(202).end();
  const params = isObject(message.params) ? message.params : {};
  sendJson(response, 200, {
    jsonrpc: '2.0',
    id: message.id,
    ...(await perform(method, params, server, log)),
  });
}

function greet({ response }: Visit, message: JsonObject, server: ToolServer, sessions: Set<string>): void {
  const wanted = isObject(message.params) ? textIn(message.params.protocolVersion) : '';
  const session = randomUUID();
  sessions.add(session);
  for (const oldest of sessions) {
    if (sessions.size <= mostSessions) break;
    sessions.delete(oldest);
  }
  const result = {
    protocolVersion: versions.includes(wanted) ? wanted : versions[0],
    capabilities: { tools: {} },
    serverInfo: { name: server.name, version: '1.0.0' },
  };
  sendJson(response, 200, { jsonrpc: '2.0', id: message.id ?? null, result }, { 'mcp-session-id': session });
}

function sessionOf(request: IncomingMessage): string {
  return String(request.headers['mcp-session-id'] ?? '');
}

function checkVersion(request: IncomingMessage): void {
  const version = request.headers['mcp-protocol-version'];
  if (version === undefined || versions.includes(String(version))) return;
  throw new Refusal(400, 'unsupported_version', `this server speaks ${versions.join(', ')}`);
}

async function perform(
  method: string,
  params: JsonObject,
  server: ToolServer,
  log: Log,
): Promise<JsonObject> {
  if (method === 'ping') return { result: {} };
  if (method === 'tools/list') {
    const tools = server.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    return { result: { tools } };
  }
  if (method !== 'tools/call') return { error: { code: -32601, message: `there is no method ${method}` } };
  const name = textIn(params.name);
  const work = server.call(name, isObject(params.arguments) ? params.arguments : {});
  if (!work) return { error: { code: -32602, message: `there is no tool ${name}` } };
  return work.then(
    (text) => {
      log.info('tool done', { tool: name });
      return { result: { content: [{ type: 'text', text }], isError: false } };
    },
    (error: unknown) => {
      log.warn('tool refused', { tool: name, reason: reasonOf(error) });
      return { result: { content: [{ type: 'text', text: reasonOf(error) }], isError: true } };
    },
  );
}

function problem(id: unknown, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
