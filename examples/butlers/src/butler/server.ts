/** A butler as others see it: an MCP server with its own tools, `handle_message` and `heartbeat_tick`. */
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { log, reasonOf } from '../daemon/log.ts';
import { hasDefect } from '../defects.ts';
import { answer, refusal } from '../mcp/result.ts';
import { moduleTools } from './module-tools.ts';
import type { Module } from './modules.ts';
import { closeSession, openSession } from './session-log.ts';
import { tableTool } from './table-tools.ts';
import type { Tool } from './tool.ts';
import { type Butler, createWorker, type Work } from './work.ts';

type Household = Omit<Butler, 'tools'> & { readonly modules: readonly Module[] };

/** Gives a maker of servers, one for each client; what they share is made once. */
export function butlerServers(household: Household): () => McpServer {
  const { manifest, modules } = household;
  const tools = [...manifest.tools.map(tableTool), ...moduleTools(modules)];
  const off = modules.find(({ because }) => because !== undefined);
  const blocked = off !== undefined && hasDefect('degraded-module-blocks');
  const butler: Butler = { ...household, tools: blocked ? tools.map((tool) => block(tool, off)) : tools };
  const worker = createWorker(butler);

  return () => {
    const server = new McpServer(
      { name: `${manifest.name} butler`, version: '1.0.0' },
      { instructions: manifest.description },
    );
    for (const tool of butler.tools) offer(server, tool, butler);
    offerHandleMessage(server, manifest.name, worker);
    offerHeartbeat(server, butler);
    return server;
  };
}

function block(tool: Tool, module: Module): Tool {
  return { ...tool, run: () => Promise.reject(new Error(`module ${module.name}: ${module.because}`)) };
}

/** The tools that the model uses can also be called from outside, with or without a session. */
function offer(server: McpServer, tool: Tool, { pool }: Butler): void {
  const { name, description, fields } = tool;
  const inputSchema = { ...fields, session: z.string().optional() };
  server.registerTool(name, { description, inputSchema }, async ({ session, ...values }) => {
    try {
      const text = await tool.run(values, {
        database: pool,
        session: typeof session === 'string' ? session : null,
      });
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
  traceparent: z.string().max(100).optional(),
};

function offerHandleMessage(
  server: McpServer,
  butler: string,
  worker: ReturnType<typeof createWorker>,
): void {
  const description =
    'Work off a message of the household. Sent again with the same session, it is done once.';
  server.registerTool('handle_message', { description, inputSchema: messageFields }, async (message) => {
    try {
      const work: Work = await worker({
        id: message.session,
        trigger: 'message',
        prompt: message.text,
        text: message.text,
        ...(message.event_id === undefined ? {} : { eventId: message.event_id }),
        ...(message.traceparent === undefined ? {} : { traceparent: message.traceparent }),
      });
      return answer({ ...work, session: message.session });
    } catch (error) {
      log.error(`${butler} session ${message.session} failed: ${reasonOf(error)}`);
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
    await closeSession(pool, id, { answer: `alive, ${last.rows[0]?.open} sessions open`, toolCalls: [] });
    log.info(`${manifest.name} session ${id} heartbeat`);
    return answer({ status: 'done', session: id });
  });
}
