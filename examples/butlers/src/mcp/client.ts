/** Connects to an MCP server over the transport that it speaks. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport as ClientTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Transport } from '../manifest.ts';

export interface McpAddress {
  readonly url: string;
  readonly transport: Transport;
}

const connectWithinMs = 5_000;

export async function connectMcp(address: McpAddress, clientName: string): Promise<Client> {
  const client = new Client({ name: clientName, version: '1.0.0' });
  await client.connect(await transportTo(address), { timeout: connectWithinMs });
  if (address.transport === 'sse') {
    // The answers come on this stream: when it breaks, waiting calls must fail now, not at their time-out.
    client.onerror = () => void client.close();
  }
  return client;
}

async function transportTo({ url, transport }: McpAddress): Promise<ClientTransport> {
  if (transport === 'sse') {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
    return new SSEClientTransport(new URL(`${url}/sse`));
  }
  const { StreamableHTTPClientTransport } = await import(
    '@modelcontextprotocol/sdk/client/streamableHttp.js'
  );
  return new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as ClientTransport;
}
