/**
 * Stands in for a model provider. A real one costs money and never answers twice the same, so it is simulated on the wire:
 * one endpoint of the OpenAI API, and an answer that says what it heard. `[provider-a:hang]` in a message makes the
 * provider of that name misbehave for this message alone.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { log, reasonOf } from './log.ts';
import { wholeNumber } from './settings.ts';

const name = process.env.PROVIDER_NAME || 'provider';

type Answer = (response: ServerResponse) => unknown;

const misbehaviours: Readonly<Record<string, Answer>> = {
  error: (response) => sendJson(response, 500, { error: { message: 'overloaded' } }),
  hang: () => log.info(`${name} was told to hang`),
  garbage: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
  empty: (response) => sendJson(response, 200, { choices: [] }),
  cut: (response) => response.socket?.destroy(),
};

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => log.warn(`${name} was left alone: ${reasonOf(error)}`));
}).listen(wholeNumber(process.env, 'PORT', 0, 65535), '127.0.0.1', () => log.info(`${name} is listening`));

process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => process.exit(0));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  if (request.url === '/health') return sendJson(response, 200, { status: 'ok', name });
  if (request.url !== '/v1/chat/completions')
    return sendJson(response, 404, { error: { message: 'unknown' } });
  const heard = lastOfUser(await readText(request));
  if (heard === undefined) return sendJson(response, 400, { error: { message: 'messages end with a user' } });
  const wish = new RegExp(`\\[${name}:(\\w+)\\]`).exec(heard)?.[1] ?? '';
  const misbehave = misbehaviours[wish];
  if (misbehave) return misbehave(response);
  return sendJson(response, 200, {
    object: 'chat.completion',
    model: name,
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: `You said: ${heard}` } },
    ],
  });
}

function lastOfUser(body: string): string | undefined {
  try {
    const asked = JSON.parse(body) as { messages?: { role?: unknown; content?: unknown }[] };
    const last = asked.messages?.at(-1);
    return last?.role === 'user' && typeof last.content === 'string' ? last.content : undefined;
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
