/**
 * Replaces the model provider when the butlers are started by hand: the same HTTP API (Anthropic Messages, not
 * streamed), answers by simple rules. Trials do not use it; there the model says what the trial says.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { sendJson, serve, start } from '../src/daemon/serve.ts';
import { readPort } from '../src/daemon/settings.ts';
import type { Block, Message, ToolDefinition } from '../src/model/messages.ts';
import { chooseCalls } from './stand-in-model/rules.ts';

interface Request {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[];
}

await start(async () => {
  await serve({
    name: 'model',
    port: readPort(process.env),
    routes: {
      '/health': (_request, response) => sendJson(response, 200, { status: 'ok' }),
      '/v1/messages': answerMessages,
    },
  });
});

async function answerMessages(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return refuse(response, 405, 'POST a conversation');
  if (!request.headers['x-api-key']) return refuse(response, 401, 'x-api-key is missing');
  const body = await readText(request);
  const asked = parse(body);
  const last = asked?.messages?.at(-1);
  if (asked === undefined || last?.role !== 'user') {
    return refuse(response, 400, 'messages must end with one of the user');
  }
  const content = think(last, asked.tools ?? []);
  const usesTools = content.some((block) => block.type === 'tool_use');
  sendJson(response, 200, {
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model: asked.model,
    content,
    stop_reason: usesTools ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: tokens(body), output_tokens: tokens(JSON.stringify(content)) },
  });
}

function think(last: Message, tools: readonly ToolDefinition[]): Block[] {
  if (typeof last.content !== 'string') {
    const results = last.content.filter((block) => block.type === 'tool_result');
    const bad = results.filter((result) => result.is_error);
    if (bad.length > 0) return [say(`That did not work: ${bad.map(({ content }) => content).join('; ')}`)];
    if (results.length > 0)
      return [say(results.length === 1 ? 'Done.' : `Done, all ${results.length} of it.`)];
  }
  const calls = chooseCalls(textOf(last), tools);
  if (calls.length === 0) return [say('I have no tool for that.')];
  return calls.map(({ name, input }) => ({ type: 'tool_use', id: `toolu_${randomUUID()}`, name, input }));
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '')).join(' ');
}

function say(text: string): Block {
  return { type: 'text', text };
}

function parse(body: string): Request | undefined {
  try {
    return JSON.parse(body) as Request;
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { type: 'error', error: { type: 'invalid_request_error', message } });
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}
