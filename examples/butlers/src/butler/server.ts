/** A butler as others see it: an MCP server with its own tools, `handle_message` and `heartbeat_tick`. */
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { log, reasonOf } from '../daemon/log.ts';
import { hasDefect } from '../defects.ts';
import type { McpAddress } from '../mcp/client.ts';
import { metaText } from '../mcp/meta.ts';
import { answer, refusal } from '../mcp/result.ts';
import { createDesk } from './desk.ts';
import { moduleTools } from './module-tools.ts';
import type { Module } from './modules.ts';
import { openOwnTools, sessionKey } from './own-tools.ts';
import { closeSession, openSession } from './session-log.ts';
import { tableTool } from './table-tools.ts';
import type { Tool } from './tool.ts';
import { type Butler, createWorker, type Work } from './work.ts';

interface Household extends Pick<Butler, 'manifest' | 'model' | 'pool' | 'tracer'> {
  readonly modules: readonly Module[];
  /** Where the butler reaches its own tools. */
  readonly own: McpAddress;
}

/** Returns a factory of servers, one for each client; what they share is created once. */
export function butlerServers(household: Household): () => McpServer {
  const { manifest, modules } = household;
  const tools = [...manifest.tools.map(tableTool), ...moduleTools(modules)];
  const off = modules.find(({ because }) => because !== undefined);
  const blocked = off !== undefined && hasDefect('degraded-module-blocks');
  const butler: Butler = {
    ...household,
    tools: blocked ? tools.map((tool) => block(tool, off)) : tools,
    ownTools: openOwnTools(household.own, manifest.name),
    desk: createDesk(),
  };
  const worker = createWorker(butler);

  return () => {
    const server = new McpServer(
      { name: `${manifest.name} butler`, version: '1.0.0' },
      { instructions: manifest.description },
    );
    for (const tool of butler.tools) offer(server, tool, butler);
    offerHandleMessage(server, butler, worker);
    offerHeartbeat(server, butler);
    return server;
  };
}

function block(tool: Tool, module: Module): Tool {
  return { ...tool, run: () => Promise.reject(new Error(`module ${module.name}: ${module.because}`)) };
}

/** A caller outside of a session may say which session the row belongs to; inside of one, it is that session. */
function offer(server: McpServer, tool: Tool, { pool, tracer, desk }: Butler): void {
  const { name, description, fields } = tool;
  const inputSchema = z.strictObject({ ...fields, session: z.string().optional() });
  server.registerTool(name, { description, inputSchema }, async ({ session, ...values }, { _meta }) => {
    const parent = metaText(_meta, 'traceparent');
    const id = metaText(_meta, sessionKey);
    const rowsOf = typeof session === 'string' ? session : null;
    const attributes = { 'tool.name': name, 'session.id': id ?? rowsOf ?? 'none' };
    try {
      const text = await tracer.within({ name: `tool ${name}`, parent, attributes }, () =>
        id === undefined
          ? tool.run(values, { database: pool, session: rowsOf })
          : desk.runTool(id, tool, values),
      );
      return { content: [{ type: 'text', text }], isError: false };
    } catch (error) {
      return refusal(reasonOf(error));
    }
  });
}

const messageFields = {
  text: z.string().min(1).max(10_000),
  session: z.string().min(1).max(100),
  event_id: z.string().max(200).optional(),
};

function offerHandleMessage(
  server: McpServer,
  { manifest: { name }, tracer }: Butler,
  worker: ReturnType<typeof createWorker>,
): void {
  const config = {
    description: 'Work off a message of the household. Sent again with the same session, it is done once.',
    inputSchema: messageFields,
  };
  server.registerTool('handle_message', config, async ({ session, text, event_id }, { _meta }) => {
    const parent = metaText(_meta, 'traceparent');
    const attributes = { 'session.id': session, 'event.id': event_id ?? 'none' };
    try {
      const work: Work = await tracer.within({ name: 'handle_message', parent, attributes }, (trace) =>
        worker({
          id: session,
          trigger: 'message',
          prompt: text,
          text,
          trace,
          ...(event_id === undefined ? {} : { eventId: event_id }),
        }),
      );
      return answer({ ...work, session });
    } catch (error) {
      log.error(`${name} session ${session} failed: ${reasonOf(error)}`);
      return refusal(reasonOf(error));
    }
  });
}

function offerHeartbeat(server: McpServer, { manifest, pool }: Butler): void {
  const description = 'Told regularly that time passes; leaves a line in the session log.';
  server.registerTool('heartbeat_tick', { description, inputSchema: {} }, async () => {
    const id = `heartbeat-${randomUUID()}`;
    const last = await pool.query("SELECT count(*)::int AS open FROM sessions WHERE status = 'running'");
    await openSession(pool, { id, trigger: 'heartbeat', prompt: 'heartbeat' });
    await closeSession(pool, id, {
      answer: `alive, ${last.rows[0]?.open} sessions open`,
      toolCalls: [],
      usage: { input: 0, output: 0 },
    });
    log.info(`${manifest.name} session ${id} heartbeat`);
    return answer({ status: 'done', session: id });
  });
}
