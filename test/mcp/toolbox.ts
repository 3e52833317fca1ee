/** A server made with the official SDK, with tools that do what a client must be able to handle. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  EmptyResultSchema,
  ListRootsResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

export interface Toolbox {
  readonly server: McpServer;
  /** Calls of `wait` that were cancelled. */
  readonly cancelled: string[];
}

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });

export function createToolbox(cancelled: string[] = []): Toolbox {
  const server = new McpServer(
    { name: 'toolbox', version: '1.2.3' },
    { capabilities: { logging: {}, tools: { listChanged: true } } },
  );
  server.registerTool('say', { inputSchema: { text: z.string() } }, ({ text }) => said(text));
  server.registerTool(
    'add',
    { inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } },
    ({ a, b }) => ({ ...said('see the structure'), structuredContent: { sum: a + b } }),
  );
  server.registerTool('repeat', { inputSchema: { times: z.number() } }, ({ times }) =>
    said('x'.repeat(times)),
  );
  server.registerTool('refuse', {}, () => ({ ...said('not today'), isError: true }));
  server.registerTool('wait', {}, async ({ signal }) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    cancelled.push(String((signal.reason as { message?: string } | undefined)?.message ?? signal.reason));
    return said('never seen');
  });
  registerTalkative(server);
  server.registerResource('readme', 'file:///readme', {}, () => ({
    contents: [{ uri: 'file:///readme', text: 'hello' }],
  }));
  server.registerPrompt('greet', {}, () => ({ messages: [] }));
  return { server, cancelled };
}

/** Tools that send a notification or a request before they answer. */
function registerTalkative(server: McpServer): void {
  server.registerTool('report', {}, async ({ sendNotification, _meta }) => {
    for (const progress of [1, 2]) {
      const progressToken = _meta?.progressToken ?? 'none';
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
    }
    return said('reported');
  });
  server.registerTool('ask', {}, async ({ sendRequest }) => {
    const pong = await sendRequest({ method: 'ping' }, EmptyResultSchema);
    const roots = await sendRequest({ method: 'roots/list' }, ListRootsResultSchema).catch(
      (error: { code?: number }) => error.code,
    );
    return said(JSON.stringify({ pong, roots }));
  });
  server.registerTool('ask-aside', {}, async () => said(JSON.stringify(await server.server.ping())));
  server.registerTool(
    'consult',
    { inputSchema: { about: z.array(z.string()) } },
    async ({ about }, extra) => {
      const answers: unknown[] = [];
      for (const text of about) {
        const params = {
          maxTokens: 9,
          messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
        };
        const answer = extra.sendRequest(
          { method: 'sampling/createMessage', params },
          CreateMessageResultSchema,
        );
        answers.push(await answer.catch((error: { code?: number }) => error.code));
      }
      return said(JSON.stringify(answers));
    },
  );
  server.registerTool('confirm', {}, async ({ sendRequest }) => {
    const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
    const params = { message: 'Who are you?', requestedSchema };
    return said(
      JSON.stringify(await sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema)),
    );
  });
  server.registerTool('declared', {}, () => said(JSON.stringify(server.server.getClientCapabilities())));
  server.registerTool('headers', {}, ({ requestInfo }) => said(JSON.stringify(requestInfo?.headers)));
  server.registerTool('env', {}, () => said(JSON.stringify(process.env)));
  server.registerTool('change', {}, async () => {
    server.sendToolListChanged();
    return said('changed');
  });
}
