/** MCP over streamable HTTP: one path, one server object for each client session, answers as plain JSON. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Handler, sendJson } from '../daemon/serve.ts';

/** Sessions of clients that left without closing are dropped, the longest idle first; such a client may start a new one. */
const maxSessions = 200;

export function streamableHttp(createServer: () => McpServer): Record<'/mcp', Handler> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();

  const begin = async (request: IncomingMessage, response: ServerResponse) => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const server = createServer();
    await server.connect(transport as Transport);
    await transport.handleRequest(request, response);
    if (transport.sessionId === undefined) await server.close(); // it was not an initialize request
    if (sessions.size > maxSessions) await forgetOldest(sessions);
  };

  return {
    '/mcp': async (request, response) => {
      // The server never sends messages of its own, so it offers no stream.
      if (request.method === 'GET') return refuse(response, 405, -32000, 'Method not allowed');
      const id = request.headers['mcp-session-id'];
      if (id === undefined) return begin(request, response);
      const transport = sessions.get(String(id));
      // After a restart the sessions are gone: on this answer the client initializes again.
      if (transport === undefined) return refuse(response, 404, -32001, 'Session not found');
      sessions.delete(String(id));
      sessions.set(String(id), transport);
      return transport.handleRequest(request, response);
    },
  };
}

async function forgetOldest(sessions: Map<string, StreamableHTTPServerTransport>): Promise<void> {
  for (const [id, transport] of sessions) {
    sessions.delete(id);
    return transport.close();
  }
}

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  sendJson(response, status, { jsonrpc: '2.0', error: { code, message }, id: null });
}
