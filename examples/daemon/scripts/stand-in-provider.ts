/**
 * Replaces a model provider when the daemon is started by hand: the one endpoint of the OpenAI API that it uses,
 * streamed or not, and an answer that repeats the question. Trials do not use it; there a provider says what the trial says.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { log, reasonOf } from '../src/log.ts';
import { wholeNumber } from '../src/settings.ts';

interface Asked {
  readonly model?: unknown;
  readonly stream?: unknown;
  readonly messages?: readonly { readonly role?: unknown; readonly content?: unknown }[];
}

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    log.warn(`a question was not answered: ${reasonOf(error)}`);
    response.destroy();
  });
}).listen(wholeNumber(process.env, 'PORT', 0, 65535), '127.0.0.1', () => log.info('provider is listening'));

process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => process.exit(0));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = JSON.parse((await readText(request)) || '{}') as Asked;
  const last = asked.messages?.at(-1);
  if (request.url !== '/v1/chat/completions' || last?.role !== 'user') {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(
      '{"error":{"message":"POST messages that end with one of the user to /v1/chat/completions"}}',
    );
    return;
  }
  const said = `You said: ${String(last.content)}`;
  const usage = { prompt_tokens: 20, completion_tokens: Math.ceil(said.length / 4) };
  const model = asked.model ?? 'small';
  if (asked.stream !== true) {
    const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: said } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'chat.completion', model, choices: [choice], usage }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const tell = (choices: readonly unknown[], more = {}) => {
    const chunk = { object: 'chat.completion.chunk', model, choices, ...more };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  for (const piece of said.match(/.{1,12}/gsu) ?? []) tell([{ index: 0, delta: { content: piece } }]);
  tell([{ index: 0, delta: {}, finish_reason: 'stop' }]);
  tell([], { usage });
  response.end('data: [DONE]\n\n');
}
