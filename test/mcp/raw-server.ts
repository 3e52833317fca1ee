/** A hand-made MCP server that initializes correctly, and then does what the test says. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Asked, type HttpPeer, openPeer, readAsked } from './http-peer.ts';

export type Misbehave = (asked: Asked, response: ServerResponse, request: IncomingMessage) => unknown;

export interface RawServer extends HttpPeer {
  readonly asked: Asked[];
}

/** Over streamable HTTP at `/mcp`. The test controls everything but the handshake, and that too on request. */
export async function openRawServer(
  misbehave: Misbehave,
  options: { readonly session?: string; readonly version?: string; readonly greets?: boolean } = {},
): Promise<RawServer> {
  const { session, version = '2025-06-18', greets = true } = options;
  const asked: Asked[] = [];
  const peer = await openPeer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = await readAsked(request);
    asked.push(message);
    if (greets && message.method === 'initialize') {
      if (session !== undefined) response.setHeader('Mcp-Session-Id', session);
      const serverInfo = { name: 'raw', version: '0' };
      return answerJson(response, message.id, { protocolVersion: version, capabilities: {}, serverInfo });
    }
    if (message.method?.startsWith('notifications/')) return void response.writeHead(202).end();
    await misbehave(message, response, request);
  });
  return { ...peer, asked };
}

export function answerJson(response: ServerResponse, id: unknown, result: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

export function refuseJson(response: ServerResponse, status: number, id: unknown, code: number): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'no' } }));
}

export function answerStream(response: ServerResponse, ...messages: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const message of messages) response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}
