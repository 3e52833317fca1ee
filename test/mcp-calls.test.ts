/** What a tap reports of real MCP traffic, over both of its HTTP transports. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import type { CallEvent } from '../src/journal/call-event.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { openTap } from '../src/taps/open-tap.ts';
import type { Tap } from '../src/taps/tap.ts';
import { eventually } from './taps/eventually.ts';

type Transport = Parameters<Client['connect']>[0];

function greeter(): McpServer {
  const server = new McpServer({ name: 'greeter', version: '1' });
  server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
  return server;
}

/** Each session of the older transport has a stream of its own, and an address of its own. */
function olderTransport(): RequestListener {
  const sessions = new Map<string, SSEServerTransport>();
  return async (request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    if (request.method === 'POST')
      return sessions.get(url.searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response);
    const transport = new SSEServerTransport('/messages', response);
    sessions.set(transport.sessionId, transport);
    return greeter().connect(transport);
  };
}

function streamableTransport(enableJsonResponse: boolean): RequestListener {
  return async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse });
    await greeter().connect(transport as Parameters<McpServer['connect']>[0]);
    await transport.handleRequest(request, response);
  };
}

async function tapBefore(listener: RequestListener): Promise<{ tap: Tap; calls: () => CallEvent[] }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const calls: CallEvent[] = [];
  const tap = await openTap({
    from: 'app',
    to: 'greeter',
    target: () => ({ host: '127.0.0.1', port }),
    clock: systemClock,
    emit: (event) => (event.type === 'call' ? calls.push(event) : undefined),
    watch: 'http',
  });
  onTestFinished(async () => {
    await tap.close();
    server.closeAllConnections();
    server.close();
  });
  return { tap, calls: () => calls };
}

test.each<[string, RequestListener, (url: URL) => Transport]>([
  ['the older transport', olderTransport(), (url) => new SSEClientTransport(url)],
  [
    'streamable HTTP, answered by events',
    streamableTransport(false),
    (url) => new StreamableHTTPClientTransport(url) as Transport,
  ],
  [
    'streamable HTTP, answered by JSON',
    streamableTransport(true),
    (url) => new StreamableHTTPClientTransport(url) as Transport,
  ],
])('%s', async (_, listener, transport) => {
  const { tap, calls } = await tapBefore(listener);
  const client = new Client({ name: 'app', version: '1' });
  await client.connect(transport(new URL(`http://${tap.host}:${tap.port}/mcp`)));
  const answer = await client.callTool({ name: 'greet' });
  await eventually(() => calls().some(({ method }) => method === 'tools/call'));
  const shown = calls().filter(({ protocol }) => protocol === 'json-rpc');
  expect(shown.map(({ method }) => method)).toEqual([
    'initialize',
    'notifications/initialized',
    'tools/call',
  ]);
  expect(shown[0]).toMatchObject({ result: { serverInfo: { name: 'greeter' } } });
  expect(shown[2]).toMatchObject({ params: { name: 'greet' }, result: answer });
  expect(shown.filter(({ incomplete }) => incomplete !== undefined)).toEqual([]);
  await eventually(() => tap.stats().callsInFlight === 0);
  await client.close();
});
