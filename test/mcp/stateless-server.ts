/** A hand-made server of the stateless era (2026-07-28), as strict as the specification wants it, over HTTP or stdio. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Asked, type HttpPeer, openPeer, readAsked } from './http-peer.ts';

export interface StatelessServer extends HttpPeer {
  readonly asked: Asked[];
}

const version = '2026-07-28';
const serverInfo = { name: 'stateless', version: '2' };

type Answer =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: object; readonly status: number };

export async function openStatelessServer(): Promise<StatelessServer> {
  const asked: Asked[] = [];
  const peer = await openPeer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = await readAsked(request);
    asked.push(message);
    if (message.params?.name === 'wait') return undefined;
    const answer = headerFault(request, message) ?? answerTo(message);
    return write(response, message, answer);
  });
  return { ...peer, asked };
}

function write(response: ServerResponse, { id, params }: Asked, answer: Answer): void {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id,
    ...('result' in answer ? answer : { error: answer.error }),
  });
  if ('error' in answer || params?.name !== 'stream') {
    response.writeHead('error' in answer ? answer.status : 200, { 'content-type': 'application/json' });
    return void response.end(body);
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}\n\n`);
  response.end(`data: ${body}\n\n`);
}

/** What the headers say must be what the body says. */
function headerFault(request: IncomingMessage, { method, params }: Asked): Answer | undefined {
  const { headers } = request;
  const name = params?.name ?? params?.uri;
  const args = params?.arguments as { region?: string } | undefined;
  const isSame =
    headers['mcp-protocol-version'] === metaOf(params)['io.modelcontextprotocol/protocolVersion'] &&
    headers['mcp-method'] === method &&
    decode(headers['mcp-name']) === name &&
    decode(headers['mcp-param-region']) === args?.region;
  return isSame ? undefined : { status: 400, error: { code: -32020, message: 'Header mismatch' } };
}

function decode(value: string | string[] | undefined): string | undefined {
  const coded = /^=\?base64\?(.*)\?=$/.exec(String(value))?.[1];
  if (coded !== undefined) return Buffer.from(coded, 'base64').toString('utf8');
  return value === undefined ? undefined : String(value);
}

function metaOf(params: Asked['params']): Readonly<Record<string, unknown>> {
  return (params?._meta ?? {}) as Readonly<Record<string, unknown>>;
}

export function answerTo({ method, params }: Asked): Answer {
  const meta = metaOf(params);
  if (meta['io.modelcontextprotocol/clientCapabilities'] === undefined) {
    return { status: 400, error: { code: -32602, message: 'the request does not say who asks' } };
  }
  const requested = meta['io.modelcontextprotocol/protocolVersion'];
  if (requested !== version) {
    const data = { supported: [version], requested };
    return { status: 400, error: { code: -32022, message: 'Unsupported protocol version', data } };
  }
  const result = resultOf(method, params);
  if (result === undefined) return { status: 404, error: { code: -32601, message: 'Method not found' } };
  const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
  return { result: { resultType: 'complete', _meta, ...result } };
}

function resultOf(method: string | undefined, params: Asked['params']): Record<string, unknown> | undefined {
  const said = (text: string) => ({ content: [{ type: 'text', text }] });
  if (method === 'server/discover') return { supportedVersions: [version], capabilities: { tools: {} } };
  if (method === 'tools/list') {
    const region = { type: 'string', 'x-mcp-header': 'Region' };
    const names = ['say', 'stream', 'wait', 'need', 'größe'];
    const inputSchema = { type: 'object', properties: { region } };
    return { tools: names.map((name) => ({ name, inputSchema })), ttlMs: 0, cacheScope: 'public' };
  }
  if (method !== 'tools/call') return undefined;
  if (params?.name === 'need' && params.inputResponses === undefined) {
    const inputRequests = { who: { method: 'elicitation/create', params: { message: 'Who are you?' } } };
    return { resultType: 'input_required', inputRequests, requestState: 'opaque' };
  }
  return said(JSON.stringify(params?.arguments ?? params?.inputResponses));
}
