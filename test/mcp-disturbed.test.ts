/** Taps before servers and clients of the official SDK, with shapes of the tool protocol on live streams. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import type { CallEvent } from '../src/journal/call-event.ts';
import type { JournalEventBody } from '../src/journal/event.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { openTap } from '../src/taps/open-tap.ts';
import type { Tap } from '../src/taps/tap.ts';
import type { HttpPeer } from './mcp/http-peer.ts';
import { serveSse, serveStateful } from './mcp/serve-toolbox.ts';
import { eventually } from './taps/eventually.ts';

interface Edge {
  readonly tap: Tap;
  readonly events: JournalEventBody[];
  calls(): CallEvent[];
  felt(): string[];
  url(path: string): URL;
}

async function edgeTo(serving: Promise<HttpPeer>, shape?: string): Promise<Edge> {
  const peer = await serving;
  const events: JournalEventBody[] = [];
  const tap = await openTap({
    from: 'app',
    to: 'toolbox',
    target: () => peer.address,
    clock: systemClock,
    emit: (event) => void events.push(event),
    watch: 'http',
  });
  onTestFinished(async () => {
    await tap.close();
    await peer.close();
  });
  if (shape !== undefined) await tap.disturbExchanges([{ name: 'it', fault: { do: 'shape', shape } }]);
  return {
    tap,
    events,
    calls: () => events.filter((event) => event.type === 'call'),
    felt: () => events.flatMap((event) => (event.type === 'disturbance.felt' ? [event.what] : [])),
    url: (path) => new URL(`http://${tap.host}:${tap.port}${path}`),
  };
}

async function connected(transport: Parameters<Client['connect']>[0]): Promise<Client> {
  const client = new Client({ name: 'app', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

const streamable = (edge: Edge): Promise<Client> =>
  connected(new StreamableHTTPClientTransport(edge.url('/mcp')) as Parameters<Client['connect']>[0]);
const older = (edge: Edge): Promise<Client> => connected(new SSEClientTransport(edge.url('/sse')));

test.each([
  ['M03', 405],
  ['M04', expect.toBeOneOf([404, 406, 400])],
  ['M05', 200],
])('%s answers a listener while its stream is open, and the client goes on', async (shape, status) => {
  const edge = await edgeTo(serveStateful(), shape);
  const client = await streamable(edge);
  await eventually(() => edge.felt().length > 0);
  expect(edge.felt()[0]).toBe(`sent in the shape ${shape}`);
  expect(edge.calls().find(({ method }) => method === 'GET')).toMatchObject({ response: { status } });
  expect(await client.callTool({ name: 'say', arguments: { text: 'still' } })).toMatchObject({
    content: [{ text: 'still' }],
  });
});

test('a shape of answers leaves the stream of a listener alone: unsolicited messages of the server arrive', async () => {
  const edge = await edgeTo(serveStateful(), 'M06');
  const client = await streamable(edge);
  const heard: string[] = [];
  client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => void heard.push(method));
  await client.callTool({ name: 'change' });
  await eventually(() => heard.length === 1);
});

test('the stream of the older transport is not optional', async () => {
  const edge = await edgeTo(serveSse(), 'M03');
  const client = await older(edge);
  expect(await client.callTool({ name: 'say', arguments: { text: 'as ever' } })).toMatchObject({
    content: [{ text: 'as ever' }],
  });
  expect(edge.felt()).toEqual([]);
});

test('an answer of megabytes on the stream of the older transport ends its call', async () => {
  const edge = await edgeTo(serveSse());
  const client = await older(edge);
  const waiting = client.callTool({ name: 'wait' }).catch(() => 'given up with the client');
  await client.callTool({ name: 'repeat', arguments: { times: 1_500_000 } });
  const large = (): CallEvent | undefined =>
    edge.calls().find(({ params }) => (params as { name?: string } | undefined)?.name === 'repeat');
  await eventually(() => large() !== undefined);
  expect(large()).toMatchObject({ incomplete: 'too-large' });
  expect(edge.tap.stats().callsInFlight, 'the one that waits').toBe(1);
  await client.close();
  await waiting;
});
