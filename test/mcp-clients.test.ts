/** Clients of the official SDK behind taps, over each transport: everything that the protocol has arrives, and no rule is broken. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import type { CallEvent } from '../src/journal/call-event.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { openTap } from '../src/taps/open-tap.ts';
import { projectFolder } from './harness/project-files.ts';
import type { HttpPeer } from './mcp/http-peer.ts';
import { serveSse, serveStateful } from './mcp/serve-toolbox.ts';
import { eventually } from './taps/eventually.ts';

/** With a person, a model and a folder behind it. */
async function connected(transport: Transport): Promise<Client> {
  const client = new Client(
    { name: 'app', version: '1' },
    { capabilities: { roots: {}, sampling: {}, elicitation: {} } },
  );
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///work' }] }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: 'a model' },
  }));
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'ada' } }));
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

async function useAll(client: Client): Promise<void> {
  const text = async (name: string, args: Record<string, unknown> = {}): Promise<unknown> => {
    const { content } = await client.callTool({ name, arguments: args });
    return JSON.parse((content as [{ text: string }])[0].text);
  };
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('add');
  const { structuredContent } = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } });
  expect(structuredContent).toEqual({ sum: 5 });
  expect((await client.listResources()).resources).toMatchObject([{ uri: 'file:///readme' }]);
  expect(await client.readResource({ uri: 'file:///readme' })).toMatchObject({
    contents: [{ text: 'hello' }],
  });
  expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'greet' }]);
  expect(await client.getPrompt({ name: 'greet' })).toEqual({ messages: [] });
  expect(await text('ask')).toEqual({ pong: {}, roots: { roots: [{ uri: 'file:///work' }] } });
  expect(await text('consult', { about: ['x'] })).toMatchObject([{ content: { text: 'a model' } }]);
  expect(await text('confirm')).toEqual({ action: 'accept', content: { name: 'ada' } });
}

const methods = [
  'initialize',
  'notifications/initialized',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
];
const headers = { 'x-tenant': 'blue' };

test.each<[string, () => Promise<HttpPeer>, (url: string) => Transport]>([
  [
    'streamable HTTP',
    serveStateful,
    (url) =>
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }) as Transport,
  ],
  [
    'HTTP+SSE',
    serveSse,
    (url) => new SSEClientTransport(new URL(`${url}/sse`), { requestInit: { headers } }),
  ],
])('over %s', async (_, serve, transport) => {
  const peer = await serve();
  const calls: CallEvent[] = [];
  const tap = await openTap({
    from: 'app',
    to: 'toolbox',
    target: () => peer.address,
    clock: systemClock,
    emit: (event) => void (event.type === 'call' && calls.push(event)),
    watch: 'http',
  });
  onTestFinished(async () => {
    await tap.close();
    await peer.close();
  });
  const client = await connected(transport(`http://${tap.host}:${tap.port}`));
  await useAll(client);
  const { content } = await client.callTool({ name: 'headers' });
  expect(JSON.parse((content as [{ text: string }])[0].text)).toMatchObject(headers);
  await eventually(() => tap.stats().callsInFlight === 0);
  const shown = calls.filter(({ protocol }) => protocol === 'json-rpc');
  expect(new Set(shown.map(({ method }) => method))).toEqual(new Set(methods));
  expect(calls.flatMap(({ faults = [] }) => faults)).toEqual([]);
  expect(shown.filter(({ incomplete }) => incomplete !== undefined)).toEqual([]);
});

test('over stdio', async () => {
  const file = (name: string): string => fileURLToPath(new URL(name, `file://${projectFolder}/`));
  const client = await connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        file('src/environment/keeper/stdio-tap-main.ts'),
        '/nowhere',
        'app',
        'toolbox',
        process.execPath,
        file('test/mcp/stdio-toolbox.ts'),
      ],
      stderr: 'ignore',
    }),
  );
  await useAll(client);
});
