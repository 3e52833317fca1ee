import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect, test } from 'vitest';
import type { HttpPeer } from '../../../test/mcp/http-peer.ts';
import { serveSse, serveStateful, serveStateless } from '../../../test/mcp/serve-toolbox.ts';
import { createSseParser } from '../sse/sse-parser.ts';
import { judgeMcpExchange } from './judge-mcp-exchange.ts';
import type { McpExchange } from './mcp-exchange.ts';
import { judgeToolCall } from './tool-schema.ts';

/** A fetch that records each finished exchange. */
function recorder(): {
  readonly fetch: typeof globalThis.fetch;
  exchanges(): Promise<readonly McpExchange[]>;
} {
  const recorded: Promise<McpExchange | undefined>[] = [];
  const record: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    const httpMethod = init?.method ?? 'GET';
    const text = typeof init?.body === 'string' ? init.body : '';
    const request = {
      headers: Object.fromEntries(new Headers(init?.headers)),
      bytes: text.length,
      ...(text === '' ? {} : { json: JSON.parse(text) as unknown }),
    };
    const isEndless = httpMethod === 'GET' && response.ok;
    if (!isEndless)
      recorded.push(answerOf(response.clone()).then((answer) => ({ httpMethod, request, response: answer })));
    return response;
  };
  return {
    fetch: record,
    exchanges: async () => (await Promise.all(recorded)).filter((one) => one !== undefined),
  };
}

async function answerOf(response: Response): Promise<NonNullable<McpExchange['response']>> {
  const text = await response.text();
  const headers = Object.fromEntries(response.headers);
  const about = { status: response.status, headers, bytes: text.length };
  if (headers['content-type']?.startsWith('text/event-stream')) {
    const events = createSseParser().push(text);
    return {
      ...about,
      events: events.map(({ data }) => ({ data: data === '' ? '' : (JSON.parse(data) as unknown) })),
    };
  }
  return headers['content-type']?.startsWith('application/json')
    ? { ...about, json: JSON.parse(text) }
    : { ...about, text };
}

const variants: readonly (readonly [string, () => Promise<HttpPeer>, 'mcp' | 'sse'])[] = [
  ['with sessions, as streams', () => serveStateful(), 'mcp'],
  ['with sessions, as JSON', () => serveStateful({ enableJsonResponse: true }), 'mcp'],
  ['without sessions, as streams', () => serveStateless(false), 'mcp'],
  ['without sessions, as JSON', () => serveStateless(true), 'mcp'],
  ['over the older transport', () => serveSse(), 'sse'],
];

test.each(variants)('client and server of the official SDK break no rule %s', async (_, serve, path) => {
  const peer = await serve();
  const client = new Client({ name: 'test', version: '1' });
  const { fetch, exchanges } = recorder();
  const url = new URL(`${peer.address.url}/${path}`);
  const transport =
    path === 'sse'
      ? new SSEClientTransport(url, { fetch })
      : new StreamableHTTPClientTransport(url, { fetch });
  try {
    await client.connect(transport as Transport);
    const { tools } = await client.listTools();
    const call = { name: 'add', arguments: { a: 1, b: 2 } };
    expect(judgeToolCall(tools, call, await client.callTool(call))).toEqual([]);
    expect(judgeToolCall(tools, { name: 'add', arguments: { a: '1' } })).toHaveLength(1);
    await client.callTool({ name: 'refuse' });
    await client.callTool({ name: 'report' }, undefined, { onprogress: () => undefined });
    await client.listResources();
    await client.readResource({ uri: 'file:///readme' });
    await client.getPrompt({ name: 'greet' });
    await client.ping();
    await client.callTool({ name: 'no-such-tool' });
    const seen = await exchanges();
    expect(seen.length).toBeGreaterThan(8);
    expect(seen.flatMap(judgeMcpExchange)).toEqual([]);
  } finally {
    await client.close();
    await peer.close();
  }
});
