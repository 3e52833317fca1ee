/** OpenAI's responses: the dialect as a whole. */
import { printChatError } from '../openai-chat/chat-error.ts';
import type { Dialect, ProviderError } from '../turn/dialect.ts';
import type { JsonObject } from '../turn/turn.ts';
import { foldResponsesBody } from './fold-body.ts';
import { createResponsesFold } from './fold-events.ts';
import { printResponsesEvents } from './print-events.ts';
import { printResponse } from './print-response.ts';
import { readResponsesRequest } from './read-request.ts';

export const responsesDialect: Dialect = {
  name: 'openai-responses',
  route: (method, path) => (method === 'POST' && /(?:^|\/)responses\/?$/.test(path) ? {} : undefined),
  readRequest: (body) => readResponsesRequest(body),
  printBody: printResponse,
  printEvents: printResponsesEvents,
  printError: printResponsesError,
  foldBody: foldResponsesBody,
  createFold: createResponsesFold,
};

/** The provider words its refusals as in chat completions, except for the parameter that is too long. */
function printResponsesError(error: ProviderError): JsonObject {
  const { error: said } = printChatError(error) as { readonly error: JsonObject };
  return { error: error.kind === 'context-overflow' ? { ...said, param: 'input' } : said };
}
