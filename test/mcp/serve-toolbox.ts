/** The toolbox over HTTP, in the ways in which servers of the official SDK are set up. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import {
  StreamableHTTPServerTransport,
  type StreamableHTTPServerTransportOptions,
} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type HttpPeer, openPeer } from './http-peer.ts';
import { createToolbox } from './toolbox.ts';

export interface ServedToolbox extends HttpPeer {
  readonly cancelled: readonly string[];
  /** How many sessions are known. */
  sessions(): number;
  /** As after a restart. */
  forget(): void;
}

/** One server object for each session, as most servers do it. */
export async function serveStateful(
  options: StreamableHTTPServerTransportOptions = {},
  port = 0,
): Promise<ServedToolbox> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const cancelled: string[] = [];
  const begin = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
      ...options,
    });
    await createToolbox(cancelled).server.connect(transport as Transport);
    await transport.handleRequest(request, response);
  };
  const peer = await openPeer(async (request, response) => {
    if (request.url !== '/mcp') return void response.writeHead(404).end('no such page');
    const id = request.headers['mcp-session-id'];
    if (id === undefined) return begin(request, response);
    const transport = sessions.get(String(id));
    if (transport !== undefined) return transport.handleRequest(request, response);
    const error = { code: -32001, message: 'Session not found' };
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
  }, port);
  return { ...peer, cancelled, sessions: () => sessions.size, forget: () => sessions.clear() };
}

/** A new server object for each request, and no session. */
export async function serveStateless(isJson: boolean): Promise<HttpPeer> {
  return openPeer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: isJson });
    await createToolbox().server.connect(transport as Transport);
    await transport.handleRequest(request, response);
  });
}

/** The transport of 2024, at `/sse` and nowhere else. */
export async function serveSse(port = 0): Promise<ServedToolbox> {
  const sessions = new Map<string, SSEServerTransport>();
  const cancelled: string[] = [];
  const peer = await openPeer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'GET' && url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      response.on('close', () => sessions.delete(transport.sessionId));
      return createToolbox(cancelled).server.connect(transport);
    }
    const transport = sessions.get(url.searchParams.get('sessionId') ?? '');
    if (url.pathname === '/messages' && transport) return transport.handlePostMessage(request, response);
    response.writeHead(404).end('no such page');
  }, port);
  return { ...peer, cancelled, sessions: () => sessions.size, forget: () => sessions.clear() };
}
