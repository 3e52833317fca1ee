/** The switchboard as others see it: an MCP server with `ingest` and `heartbeat_tick`. */
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { log } from '../daemon/log.ts';
import { spanBelow } from '../daemon/trace.ts';
import { hasDefect } from '../defects.ts';
import { answer, refusal } from '../mcp/result.ts';
import type { Dispatcher } from './dispatch.ts';
import type { Inbox } from './inbox.ts';

export function switchboardServers(inbox: Inbox, dispatcher: Dispatcher): () => McpServer {
  return () => {
    const server = new McpServer({ name: 'switchboard', version: '1.0.0' });
    offerIngest(server, inbox, dispatcher);
    offerHeartbeat(server, inbox, dispatcher);
    return server;
  };
}

const eventFields = {
  event_id: z.string().min(1).max(200).describe('The same event sent again is acted on once.'),
  channel: z.string().min(1).max(50).describe('Where it came from, for example api, telegram.'),
  text: z.string().min(1).max(10_000),
  traceparent: z.string().max(100).optional(),
};

function offerIngest(server: McpServer, inbox: Inbox, dispatcher: Dispatcher): void {
  const config = {
    description: 'Take in a message. It is stored when this returns, and worked off after that.',
    inputSchema: eventFields,
    outputSchema: { status: z.enum(['accepted', 'duplicate']), session: z.string(), trace: z.string() },
  };
  server.registerTool('ingest', config, async ({ event_id, channel, text, traceparent }) => {
    if (dispatcher.full) return refusal('busy: too many messages are waiting, send it again later');
    const trace = spanBelow(traceparent);
    const event = { eventId: event_id, channel, text, traceparent: trace.traceparent };
    const accepted = await inbox.accept(event);
    log.info(`session ${accepted.session} ${accepted.status} from ${channel}, trace ${accepted.trace}`);
    if (accepted.status === 'accepted') void dispatcher.dispatch({ ...event, session: accepted.session });
    else if (hasDefect('duplicate-twice')) {
      const { session } = await inbox.accept({ ...event, eventId: randomUUID() });
      void dispatcher.dispatch({ ...event, session });
    }
    return answer({ ...accepted });
  });
}

function offerHeartbeat(server: McpServer, inbox: Inbox, dispatcher: Dispatcher): void {
  const description = 'Told regularly that time passes; tries again what could not be delivered.';
  server.registerTool('heartbeat_tick', { description, inputSchema: {} }, async () => {
    const messages = await inbox.withStatus('undelivered', 'failed');
    if (!hasDefect('heartbeat-noop')) {
      await Promise.all(messages.map((message) => dispatcher.dispatch(message)));
    }
    return answer({ status: 'done', retried: messages.length });
  });
}
