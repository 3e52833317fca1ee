/** MCP over HTTP+SSE, the transport before streamable HTTP: answers come on a stream, requests are posted beside it. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { type Handler, sendJson } from '../daemon/serve.ts';

export function legacySse(createServer: () => McpServer): Record<'/sse' | '/messages', Handler> {
  const sessions = new Map<string, SSEServerTransport>();

  return {
    '/sse': async (request, response) => {
      if (request.method !== 'GET') return sendJson(response, 405, { error: 'GET opens the stream' });
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      response.on('close', () => sessions.delete(transport.sessionId));
      await createServer().connect(transport);
    },
    '/messages': async (request, response) => {
      const id = new URL(request.url ?? '/', 'http://localhost').searchParams.get('sessionId') ?? '';
      const transport = sessions.get(id);
      if (transport === undefined) return sendJson(response, 404, { error: 'no such session' });
      await transport.handlePostMessage(request, response);
    },
  };
}
